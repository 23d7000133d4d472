import { createHash } from 'node:crypto';

/** Draws the same for the same seed, in any order of calls. */
export function drawnNumber(seed: string, name: string): number {
  return createHash('sha256').update(`${seed}\0${name}`).digest().readUIntBE(0, 6);
}

/** The parts of a case by which it is drawn. */
export interface DrawnCase {
  inputSetKey: string;
  case: { challenge_key: string; case_key: string };
}

/**
 * At most `most` cases in their order: one of each challenge before a second of any, drawn by the seed. All where there
 * are no more. Drawing from those that were drawn from a part and from the rest draws the same as from all.
 */
export function drawCases<C extends DrawnCase>(
  cases: readonly C[],
  { most, seed }: { most: number; seed: string },
): C[] {
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
