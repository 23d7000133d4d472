import type { AuditedCase } from '../pack/audited-pack.js';
import { caseName } from '../pack/case-name.js';
import type { Finding, OracleSummary } from '../report/report.js';
import type { Trial, TrialResult } from '../trials/trial.js';
import { type AuditContext, type CheckOutcome, casesText, grouped, ofCases } from './context.js';
import { failingValidators, whyNotPassed } from './reasons.js';

export interface OracleOutcome extends CheckOutcome<OracleSummary> {
  /** The cases whose solutions pass, each time. */
  passing: AuditedCase[];
}

/** Every solution passes, each time. */
export async function checkOracle(context: AuditContext): Promise<OracleOutcome> {
  const { cases, sizes, hasSolution, runAll } = context;
  const solved = cases.filter(hasSolution);
  const repetitions = Math.max(
    1,
    Math.min(sizes.repetitions, Math.floor(sizes.oracleTrials / (solved.length || 1))),
  );
  const trials = solved.flatMap((each) => {
    const trial: Trial = { case: each, role: { kind: 'oracle' } };
    return Array.from({ length: repetitions }, () => trial);
  });
  const results = await runAll(trials);
  const byCase = solved.map((each, index) => ({
    each,
    results: results
      .slice(index * repetitions, (index + 1) * repetitions)
      .filter((result) => result !== undefined),
  }));
  const findings = [...withoutSolution(cases, solved), ...grouped(byCase.flatMap(findingsOf))];
  const passing = byCase.flatMap(({ each, results: own }) => (own.every(isPass) ? [each] : []));
  const passed = passing.length;
  const flaking = byCase.filter(({ results: own }) => isFlaking(own)).length;
  return {
    findings,
    passing,
    summary: {
      state: stateOf(findings, solved.length),
      trials: trials.length,
      summary: summaryText({ cases: solved.length, passed, flaking, repetitions, total: cases.length }),
      ...{ cases: solved.length, passed, repetitions },
      flake_rate: repetitions > 1 && solved.length > 0 ? flaking / solved.length : null,
    },
  };
}

const isPass = ({ points }: TrialResult) => points?.passed === true;
const isFlaking = (results: readonly TrialResult[]) => results.some(isPass) && !results.every(isPass);

function findingsOf({ each, results }: { each: AuditedCase; results: TrialResult[] }) {
  const failed = results.find((result) => !isPass(result));
  if (!failed) return [];
  return [{ each, finding: findingOf(failed, { each, results }) }];
}

function findingOf(
  failed: TrialResult,
  { each, results }: { each: AuditedCase; results: TrialResult[] },
): Finding {
  const common = {
    check: 'oracle' as const,
    validators: failingValidators(failed),
    detail: whyNotPassed(failed),
  };
  if (failed.points === null || failed.points.passed === null) {
    return {
      ...common,
      ...{ code: 'solution_not_graded', severity: 'missing' },
      message: 'The solution was not graded, so that nothing is known about its case.',
      fix: 'Remove the cause that the detail names and run the audit again.',
    };
  }
  if (isFlaking(results)) {
    const passes = results.filter(isPass).length;
    return {
      ...common,
      ...{ code: 'solution_flakes', severity: 'error' },
      message: `The solution of ${caseName(each)} passed ${passes} of ${results.length} times.`,
      fix: 'Remove what differs between runs (time, order, random numbers, ports) from the tests or the solution.',
    };
  }
  return {
    ...common,
    ...{ code: 'solution_fails', severity: 'error' },
    message: 'The solution does not pass, so that no agent can.',
    fix: 'Correct the expectation or the tests; if they are right, correct the solution.',
  };
}

function withoutSolution(cases: readonly AuditedCase[], solved: readonly AuditedCase[]): Finding[] {
  const known = new Set(solved);
  const missing = cases.filter((each) => !known.has(each));
  if (missing.length === 0) return [];
  return [
    {
      ...{ check: 'oracle', code: 'solution_missing', severity: 'missing' },
      message: `There is no solution for ${missing.length} of ${casesText(cases.length)}: it is not shown that an agent can pass.`,
      fix: 'Add `solution` to the challenge or to the cases.',
      ...ofCases(missing),
    },
  ];
}

function stateOf(findings: readonly Finding[], solved: number): OracleSummary['state'] {
  if (findings.some(({ severity }) => severity === 'error')) return 'failed';
  return findings.length > 0 || solved === 0 ? 'incomplete' : 'passed';
}

interface SolutionFigures {
  cases: number;
  passed: number;
  flaking: number;
  repetitions: number;
  total: number;
}

function summaryText({ cases, passed, flaking, repetitions, total }: SolutionFigures): string {
  if (cases === 0) return `there is no solution for any of ${casesText(total)}`;
  const times = repetitions > 1 ? `, ${repetitions} times each` : '';
  const flakes = flaking > 0 ? `; ${casesText(flaking)} flaked` : '';
  return `solutions pass ${passed} of ${casesText(cases)}${times}${flakes}`;
}
