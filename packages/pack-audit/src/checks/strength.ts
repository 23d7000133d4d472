import type { Mutant } from '../mutations/mutant.js';
import { mutantsOf } from '../mutations/mutants.js';
import type { AuditedCase } from '../pack/audited-pack.js';
import { drawnNumber } from '../pack/sample.js';
import { oracleAgent } from '../references/solution.js';
import type { Finding, StrengthSummary } from '../report/report.js';
import type { TrialResult } from '../trials/trial.js';
import { type AuditContext, type CheckOutcome, caseName, ofCases } from './context.js';

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
      agent: oracleAgent(mutant.planted(), each, context.pack),
    })),
  );
  const graded = planted.flatMap((mutant, index) => {
    const result = results[index];
    return result && isJudged(result) ? [{ ...mutant, isNoticed: result.points?.passed !== true }] : [];
  });
  const survivors = graded.filter(({ isNoticed }) => !isNoticed);
  const noticed = graded.length - survivors.length;
  const share = graded.length === 0 ? null : noticed / graded.length;
  const strength = graded.length < MUTANTS_MIN ? null : share;
  const weak = share === null ? [] : weakness(share, graded.length);
  const findings = [...weak, ...survivors.map(survivorFinding)];
  return {
    findings,
    summary: {
      state: stateOf(share, weak),
      trials: planted.length,
      summary: summaryText(graded.length, noticed),
      ...{ mutants: graded.length, noticed, strength },
    },
  };
}

/**
 * An attempt that the platform could not run shows nothing about the graders, nor one that everything but a missing judge
 * lets pass.
 */
function isJudged({ outcome, points }: TrialResult): boolean {
  if (points === null) return outcome !== 'infra_error' && outcome !== 'cancelled';
  return points.passed === false || (points.passed === true && !points.lacksJudges);
}

/** True for the tools to whose arguments a validator looks. */
function argumentGraders({ spec }: AuditContext['pack']): (name: string) => boolean {
  const graded = spec.validators.map(({ type, config }): ((name: string) => boolean) => {
    if (type === 'tool_call_assertion') {
      return (name) => config.arguments_contain !== undefined && (config.tool_name ?? name) === name;
    }
    if (type !== 'trajectory_match' || config.arguments === 'ignore') return () => false;
    const { expected } = config;
    return (name) => expected === undefined || expected.some(({ tool_name }) => tool_name === name);
  });
  return (name) => graded.some((looksAt) => looksAt(name));
}

/** Drawn by the seed: the same number of each case as far as it has them, one of each operator before a second of any. */
async function drawMutants(
  { pack, seed, sizes, solutionOf, signal }: AuditContext,
  passing: readonly AuditedCase[],
): Promise<Planted[]> {
  const solved = passing.flatMap((each) => {
    const solution = solutionOf(each);
    return solution ? [{ each, solution }] : [];
  });
  const mutants = await mutantsOf(
    solved.map(({ solution }) => solution),
    signal,
    argumentGraders(pack),
  );
  const ranked = solved.flatMap(({ each }, index) => {
    const drawn = (mutants[index] ?? []).map((mutant, at) => ({
      mutant,
      drawn: drawnNumber(seed, `${caseName(each)}/${at}`),
    }));
    return byOperator(drawn)
      .slice(0, sizes.mutants)
      .map((mutant, rank) => ({ each, ...mutant, rank }));
  });
  ranked.sort((a, b) => a.rank - b.rank || a.drawn - b.drawn);
  return ranked.slice(0, sizes.mutants).map(({ each, mutant }): Planted => ({ each, mutant }));
}

interface Drawn {
  mutant: Mutant;
  drawn: number;
}

function byOperator(mutants: readonly Drawn[]): Drawn[] {
  const counts = new Map<string, number>();
  return [...mutants]
    .sort((a, b) => a.drawn - b.drawn)
    .map((each) => {
      const round = counts.get(each.mutant.operator) ?? 0;
      counts.set(each.mutant.operator, round + 1);
      return { ...each, round };
    })
    .sort((a, b) => a.round - b.round || a.drawn - b.drawn);
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
