import type { DrawnMutant } from '../mutations/draw-mutants.js';
import type { AuditedCase, AuditedPack } from '../pack/audited-pack.js';
import type { CheckSummary, Finding } from '../report/report.js';
import type { Points } from '../trials/points.js';
import type { Trial, TrialResult } from '../trials/trial.js';

/** The common parts of the checks of one audit. */
export interface AuditContext {
  pack: AuditedPack;
  seed: string;
  sizes: AuditSizes;
  /** The cases that references run. */
  cases: readonly AuditedCase[];
  /** True where the case or its challenge has one. */
  hasSolution: (each: AuditedCase) => boolean;
  /** Announces the number of trials that the check runs, where it runs them in several steps. */
  expect: (trials: number) => void;
  /** True where the audit was broken off, so that trials and mutants are missing. */
  isInterrupted: () => boolean;
  /** In the order of the trials; undefined where its role does not apply to the case, and for one that was broken off. */
  runAll: (trials: readonly Trial[]) => Promise<(TrialResult | undefined)[]>;
  /** The points of a trial if its agent had replied with another text; undefined where that is not known. */
  pointsOfReply: (each: AuditedCase, result: TrialResult, text: string) => Promise<Points | undefined>;
  /** At most so many mutants of the solution of a case, or the reason for which there are none. */
  drawMutants: (each: AuditedCase, most: number) => Promise<readonly DrawnMutant[] | { problem: string }>;
}

/** How much an audit tries. */
export interface AuditSizes {
  /** Cases of the references. */
  cases: number;
  /** Of each solution. */
  repetitions: number;
  /** Trials of solutions; fewer repetitions where there would be more. */
  oracleTrials: number;
  /** Cases on which each cheat is tried, where they are graded in the same way. */
  cheatCases: number;
  /** The most cases on which each cheat is tried, one for each distinct grader. */
  cheatGraders: number;
  /** The most trials of cheats; there are fewer cases where there would be more. */
  cheatTrials: number;
  mutants: number;
}

export const FULL_AUDIT: AuditSizes = {
  cases: 500,
  repetitions: 5,
  oracleTrials: 1_000,
  cheatCases: 3,
  cheatGraders: 20,
  cheatTrials: 1_000,
  mutants: 300,
};

export const QUICK_AUDIT: AuditSizes = {
  cases: 20,
  repetitions: 1,
  oracleTrials: 20,
  cheatCases: 1,
  cheatGraders: 5,
  cheatTrials: 500,
  mutants: 40,
};

export function auditSizes(isQuick: boolean): AuditSizes {
  return isQuick ? QUICK_AUDIT : FULL_AUDIT;
}

export interface CheckOutcome<S extends CheckSummary = CheckSummary> {
  summary: S;
  findings: Finding[];
}

/** A check that shows nothing where no solution passes. */
export function notRun(summary = 'no solution passes; not run'): CheckSummary {
  return { state: 'skipped', trials: 0, summary };
}

export function casesText(count: number): string {
  return count === 1 ? '1 case' : `${count} cases`;
}

/** The members of a finding about some cases: the first by name, the others beside it. */
export function ofCases(
  cases: readonly AuditedCase[],
): Pick<Finding, 'input_set_key' | 'case_key' | 'other_case_keys'> {
  const [first, ...others] = cases;
  if (!first) return {};
  return {
    input_set_key: first.inputSetKey,
    case_key: first.case.case_key,
    ...(others.length > 0 && { other_case_keys: others.map(({ case: each }) => each.case_key) }),
  };
}

/** One finding for all trials whose finding differs in nothing but the case. */
export function grouped(findings: readonly { each: AuditedCase; finding: Finding }[]): Finding[] {
  const groups = new Map<string, { finding: Finding; cases: AuditedCase[] }>();
  for (const { each, finding } of findings) {
    const key = JSON.stringify(finding);
    const group = groups.get(key) ?? { finding, cases: [] };
    group.cases.push(each);
    groups.set(key, group);
  }
  return [...groups.values()].map(({ finding, cases }) => ({ ...finding, ...ofCases(cases) }));
}
