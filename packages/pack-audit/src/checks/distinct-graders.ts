import type { AuditedCase } from '../pack/audited-pack.js';
import { drawCases } from '../pack/sample.js';
import type { CheatsSummary, Finding } from '../report/report.js';
import type { AuditContext } from './context.js';

export type Coverage = Pick<CheatsSummary, 'graders' | 'graders_tried'>;

/**
 * A case for each distinct grader, as far as the limit goes: a cheat that gains on the tests of one case alone is seen there
 * only. More cases where there are few graders. `graderOf` has the digest of what grades a case, where that is known.
 */
export function coveringCases(
  { cases, sizes, seed }: Pick<AuditContext, 'cases' | 'sizes' | 'seed'>,
  graderOf: (each: AuditedCase) => string | undefined,
): { drawn: AuditedCase[]; graders: number } {
  const byGrader = Map.groupBy(cases, (each) => graderOf(each) ?? each);
  const ofEach = [...byGrader.values()].flatMap((group) => drawCases(group, { most: 1, seed }));
  const graders = drawCases(ofEach, { most: sizes.cheatGraders, seed });
  const others = drawCases(cases, { most: sizes.cheatCases, seed });
  const wanted = [...new Set([...graders, ...others])].slice(0, Math.max(graders.length, sizes.cheatCases));
  const drawn = new Set(wanted);
  return {
    drawn: cases.filter((each) => drawn.has(each)),
    graders: byGrader.size,
  };
}

export function coverageText({ graders, graders_tried: tried }: Coverage): string {
  return `${tried} of ${graders} distinct ${graders === 1 ? 'grader' : 'graders'}`;
}

/** Weak tests of a case on which no cheat was tried are not found. */
export function uncoveredGraders(coverage: Coverage): Finding[] {
  if (coverage.graders_tried === coverage.graders) return [];
  return [
    {
      ...{ check: 'cheats', code: 'graders_not_covered', severity: 'warning' },
      message: `Cheats were tried on ${coverageText(coverage)}: nothing is known about the others.`,
      fix: 'Audit without --quick; where the pack has more graders than that covers, audit it in parts.',
    },
  ];
}
