import type { DrawnMutant } from '../mutations/draw-mutants.js';
import type { AuditedCase } from '../pack/audited-pack.js';
import type { Finding, StrengthSummary } from '../report/report.js';
import type { TrialResult } from '../trials/trial.js';
import { type AuditContext, type CheckOutcome, grouped, notRun, ofCases } from './context.js';

/**
 * Below it graders take too much wrong work for right. A survivor may be equivalent to the solution, so that even perfect
 * graders seldom notice all; one of five is more than equivalent mutants explain.
 */
const STRENGTH_MIN = 0.8;
/**
 * Fewer mutants show no strength, as a few equivalent ones would decide: a low share is a warning, unless none is noticed.
 */
const MUTANTS_MIN = 10;

interface Planted {
  each: AuditedCase;
  mutant: DrawnMutant;
}

/** Small defects in solutions are noticed; `passing` are the cases whose solutions pass. */
export async function checkStrength(
  context: AuditContext,
  passing: readonly AuditedCase[],
): Promise<CheckOutcome<StrengthSummary>> {
  const { planted, findings: missing } = await drawMutants(context, passing);
  const results = await context.runAll(
    planted.map(({ each, mutant: { change } }) => ({ case: each, role: { kind: 'mutant', change } })),
  );
  const graded = planted.flatMap((mutant, index) => {
    const result = results[index];
    return result && isJudged(result) ? [{ ...mutant, isNoticed: result.points?.passed !== true }] : [];
  });
  const survivors = graded.filter(({ isNoticed }) => !isNoticed);
  const noticed = graded.length - survivors.length;
  const share = graded.length === 0 ? null : noticed / graded.length;
  // Of those that ended first the share is another: defects that make a program hang end last.
  const isInterrupted = context.isInterrupted();
  const strength = graded.length < MUTANTS_MIN || isInterrupted ? null : share;
  const weak = share === null || isInterrupted ? [] : weakness(share, graded.length);
  const findings = [...missing, ...weak, ...survivors.map(survivorFinding)];
  return {
    findings,
    summary: {
      state: missing.length > 0 && share !== null && weak.length === 0 ? 'incomplete' : stateOf(share, weak),
      trials: results.filter(Boolean).length,
      summary: summaryText(graded.length, noticed),
      ...{ mutants: graded.length, noticed, strength },
    },
  };
}

export function strengthNotRun(): CheckOutcome<StrengthSummary> {
  return { findings: [], summary: { ...notRun(), mutants: 0, noticed: 0, strength: null } };
}

/**
 * An attempt that the platform could not run shows nothing about the graders, nor one that everything but a missing judge
 * lets pass.
 */
function isJudged({ outcome, points }: TrialResult): boolean {
  if (points === null) return outcome !== 'infra_error' && outcome !== 'cancelled';
  return points.passed === false || (points.passed === true && !points.lacksJudges);
}

/** Drawn by the seed: the same number of each case as far as it has them, one of each operator before a second of any. */
async function drawMutants(
  { sizes, drawMutants: drawn }: AuditContext,
  passing: readonly AuditedCase[],
): Promise<{ planted: Planted[]; findings: Finding[] }> {
  let planted: Planted[] = [];
  const problems: { each: AuditedCase; finding: Finding }[] = [];
  let most = sizes.mutants;
  for (const each of passing) {
    const mutants = await drawn(each, most);
    if ('problem' in mutants) {
      problems.push({ each, finding: notDrawnFinding(mutants.problem) });
      continue;
    }
    const all = [...planted, ...mutants.map((mutant) => ({ each, mutant }))];
    planted = all.sort(inOrder).slice(0, sizes.mutants);
    // Where there are enough, none of a higher rank than the last is drawn.
    if (planted.length === sizes.mutants) most = (planted.at(-1)?.mutant.rank ?? 0) + 1;
  }
  return { planted, findings: grouped(problems) };
}

function inOrder({ mutant: a }: Planted, { mutant: b }: Planted): number {
  return a.rank - b.rank || a.drawn - b.drawn;
}

function notDrawnFinding(detail: string): Finding {
  return {
    ...{ check: 'strength', code: 'mutants_not_drawn', severity: 'missing' },
    message: 'No mutants were drawn from the solution.',
    fix: 'Make the solution shorter or plainer, or split it into several files.',
    detail,
  };
}

function weakness(strength: number, mutants: number): Finding[] {
  if (strength >= STRENGTH_MIN) return [];
  const isCertain = mutants >= MUTANTS_MIN || strength === 0;
  return [
    {
      ...{ check: 'strength', code: 'graders_weak', severity: isCertain ? 'error' : 'warning' },
      message: `The graders notice ${percent(strength)} of ${mutants} mutants; at least ${percent(STRENGTH_MIN)} are expected.`,
      fix: 'Add tests or comparisons for the mutants below, which passed.',
    },
  ];
}

function stateOf(strength: number | null, weak: readonly Finding[]): StrengthSummary['state'] {
  if (strength === null) return 'skipped';
  return weak.some(({ severity }) => severity === 'error') ? 'failed' : 'passed';
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
  const shown = mutants < MUTANTS_MIN ? 'too few for a strength' : percent(noticed / mutants);
  return `graders notice ${noticed} of ${mutants} mutants (${shown})`;
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}
