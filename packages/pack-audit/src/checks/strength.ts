import type { Mutant } from '../mutations/mutant.js';
import { mutantsOf } from '../mutations/mutants.js';
import type { AuditedCase } from '../pack/audited-pack.js';
import { drawnNumber } from '../pack/sample.js';
import { oracleAgent } from '../references/solution.js';
import type { Finding, StrengthSummary } from '../report/report.js';
import type { TrialResult } from '../trials/trial.js';
import { type AuditContext, type CheckOutcome, caseName, ofCases } from './context.js';

/** Below it graders take too much wrong work for right. */
const STRENGTH_MIN = 0.8;

interface Planted {
  each: AuditedCase;
  mutant: Mutant;
}

/** Small defects in solutions are noticed; `passing` are the cases whose solutions pass. */
export async function checkStrength(
  context: AuditContext,
  passing: readonly AuditedCase[],
): Promise<CheckOutcome<StrengthSummary>> {
  const planted = await drawMutants(context, passing);
  const results = await context.runAll(
    planted.map(({ each, mutant }) => ({
      case: each,
      agent: oracleAgent(mutant.solution, each, context.pack),
    })),
  );
  const graded = planted.flatMap((mutant, index) => {
    const result = results[index];
    return result && isJudged(result) ? [{ ...mutant, isNoticed: result.points?.passed !== true }] : [];
  });
  const survivors = graded.filter(({ isNoticed }) => !isNoticed);
  const noticed = graded.length - survivors.length;
  const strength = graded.length === 0 ? null : noticed / graded.length;
  const findings =
    strength === null ? [] : [...weakness(strength, graded.length), ...survivors.map(survivorFinding)];
  return {
    findings,
    summary: {
      state: strength === null ? 'skipped' : strength < STRENGTH_MIN ? 'failed' : 'passed',
      trials: planted.length,
      summary: summaryText(graded.length, noticed),
      ...{ mutants: graded.length, noticed, strength },
    },
  };
}

/** An attempt that the platform could not run shows nothing about the graders. */
function isJudged({ outcome, points }: TrialResult): boolean {
  return points !== null || (outcome !== 'infra_error' && outcome !== 'cancelled');
}

/** Drawn by the seed, the same number of each case as far as it has them. */
async function drawMutants({ pack, seed, sizes, solutionOf }: AuditContext, passing: readonly AuditedCase[]) {
  const ranked: (Planted & { rank: number; drawn: number })[] = [];
  for (const each of passing) {
    const solution = solutionOf(each);
    if (!solution) continue;
    const mutants = await mutantsOf(solution, { pack, case: each });
    const drawn = mutants
      .map((mutant, index) => ({ each, mutant, drawn: drawnNumber(seed, `${caseName(each)}/${index}`) }))
      .sort((a, b) => a.drawn - b.drawn)
      .slice(0, sizes.mutants);
    ranked.push(...drawn.map((mutant, rank) => ({ ...mutant, rank })));
  }
  ranked.sort((a, b) => a.rank - b.rank || a.drawn - b.drawn);
  return ranked.slice(0, sizes.mutants).map(({ each, mutant }): Planted => ({ each, mutant }));
}

function weakness(strength: number, mutants: number): Finding[] {
  if (strength >= STRENGTH_MIN) return [];
  return [
    {
      ...{ check: 'strength', code: 'graders_weak', severity: 'error' },
      message: `The graders notice ${percent(strength)} of ${mutants} planted mutants; at least ${percent(STRENGTH_MIN)} are expected.`,
      fix: 'Add tests or comparisons for the mutants below, which passed.',
    },
  ];
}

function survivorFinding({ each, mutant }: Planted): Finding {
  const location = mutant.path === undefined ? 'the output' : `${mutant.path}:${mutant.line}`;
  return {
    ...{ check: 'strength', code: 'mutant_survives', severity: 'note' },
    message: `A mutant in ${location} passes (${mutant.operator}).`,
    fix: 'Add a test or an expectation that this change breaks, unless it changes nothing.',
    detail: mutant.diff,
    ...ofCases([each]),
  };
}

function summaryText(mutants: number, noticed: number): string {
  if (mutants === 0) return 'no solution has mutants';
  return `graders notice ${noticed} of ${mutants} mutants (${percent(noticed / mutants)})`;
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}
