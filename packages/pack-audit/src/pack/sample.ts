import { createHash } from 'node:crypto';
import type { AuditedCase } from './audited-pack.js';

/** Draws the same for the same seed, in any order of calls. */
export function drawnNumber(seed: string, name: string): number {
  return createHash('sha256').update(`${seed}\0${name}`).digest().readUIntBE(0, 6);
}

/**
 * At most `most` cases in their order: one of each challenge before a second of any, drawn by the seed. All where there
 * are no more.
 */
export function drawCases(
  cases: readonly AuditedCase[],
  { most, seed }: { most: number; seed: string },
): AuditedCase[] {
  if (cases.length <= most) return [...cases];
  const byChallenge = new Map<string, { index: number; drawn: number }[]>();
  for (const [index, { inputSetKey, case: each }] of cases.entries()) {
    const list = byChallenge.get(each.challenge_key) ?? [];
    list.push({ index, drawn: drawnNumber(seed, `${inputSetKey}/${each.case_key}`) });
    byChallenge.set(each.challenge_key, list);
  }
  const ranked = [...byChallenge.values()].flatMap((list) =>
    list.sort((a, b) => a.drawn - b.drawn || a.index - b.index).map((entry, rank) => ({ ...entry, rank })),
  );
  const chosen = ranked.sort((a, b) => a.rank - b.rank || a.drawn - b.drawn).slice(0, most);
  return chosen
    .map(({ index }) => index)
    .sort((a, b) => a - b)
    .flatMap((index) => cases[index] ?? []);
}
