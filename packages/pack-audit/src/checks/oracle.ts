import type { AuditedCase } from '../pack/audited-pack.js';
import { caseName } from '../pack/case-name.js';
import type { Finding, OracleSummary } from '../report/report.js';
import { hasHung } from '../trials/pace.js';
import type { Trial, TrialResult } from '../trials/trial.js';
import { type AuditContext, type CheckOutcome, casesText, grouped, notRun, ofCases } from './context.js';
import { failingValidators, fixOfCause, whyNotPassed } from './reasons.js';

export interface OracleOutcome extends CheckOutcome<OracleSummary> {
  /** The cases whose solutions pass, each time. */
  passing: AuditedCase[];
  results: TrialResult[];
  /** The replies of those solutions. */
  replies: ReadonlyMap<AuditedCase, string>;
  /** There are solutions, and none of them passed once; `hung`: the graders of all of them ran into their time limits. */
  without?: 'passing' | 'hung';
}

/** Solutions that run first: where the graders hang for all of them, they hang for the others, too. */
const FIRST_SOLUTIONS = 8;

export function oracleNotRun(): OracleOutcome {
  const summary = { ...notRun(), cases: 0, passed: 0, repetitions: 0, flake_rate: null };
  return { findings: [], passing: [], results: [], replies: new Map(), summary };
}

/** Every solution passes, each time. */
export async function checkOracle(context: AuditContext): Promise<OracleOutcome> {
  const { cases, sizes, hasSolution, runAll, expect, isInterrupted } = context;
  const solved = cases.filter(hasSolution);
  const repetitions = Math.max(
    1,
    Math.min(sizes.repetitions, Math.floor(sizes.oracleTrials / (solved.length || 1))),
  );
  expect(solved.length * repetitions);
  const first = await runSolutions(solved.slice(0, FIRST_SOLUTIONS), runAll);
  const hangs = first.length > 0 && !isInterrupted() && first.every(({ results: own }) => own.every(hasHung));
  const all = hangs ? first : await runOthers(first, { solved, repetitions, runAll });
  const left = solved.slice(all.length);
  const byCase = isInterrupted() ? all.filter(({ results: own }) => own.length > 0) : all;
  const findings = [
    ...withoutSolution(cases, solved),
    ...grouped(byCase.flatMap(findingsOf)),
    ...solutionsNotRun(left),
  ];
  const passing = byCase.flatMap(({ each, results: own }) => (own.every(isPass) ? [each] : []));
  const passed = passing.length;
  const flaking = byCase.filter(({ results: own }) => isFlaking(own)).length;
  const results = byCase.flatMap(({ results: own }) => own);
  const times = Math.min(repetitions, ...byCase.map(({ results: own }) => own.length));
  return {
    findings,
    passing,
    results,
    replies: new Map(byCase.flatMap(replyOf)),
    ...(results.length > 0 && !results.some(isPass) && { without: hangs ? 'hung' : 'passing' }),
    summary: {
      state: stateOf(findings, solved.length),
      trials: results.length,
      summary: summaryText({
        ...{ cases: byCase.length, passed, flaking, repetitions: times, total: cases.length },
      }),
      ...{ cases: byCase.length, passed, repetitions: times },
      flake_rate: times > 1 && solved.length > 0 ? flaking / solved.length : null,
    },
  };
}

interface SolvedCase {
  each: AuditedCase;
  results: TrialResult[];
}

/** Once each. */
async function runSolutions(
  solved: readonly AuditedCase[],
  runAll: AuditContext['runAll'],
): Promise<SolvedCase[]> {
  const trials = solved.map((each): Trial => ({ case: each, role: { kind: 'oracle' } }));
  const results = await runAll(trials);
  return solved.map((each, index) => ({ each, results: results[index] ? [results[index]] : [] }));
}

/** The remaining repetitions of the first solutions, and all of the others. */
async function runOthers(
  first: readonly SolvedCase[],
  {
    solved,
    repetitions,
    runAll,
  }: { solved: readonly AuditedCase[]; repetitions: number } & Pick<AuditContext, 'runAll'>,
): Promise<SolvedCase[]> {
  const due = solved.flatMap((each, index) =>
    Array.from({ length: index < first.length ? repetitions - 1 : repetitions }, () => each),
  );
  const byCase = new Map(first.map(({ each, results }) => [each, [...results]]));
  for (const { each, results } of await runSolutions(due, runAll)) {
    byCase.set(each, [...(byCase.get(each) ?? []), ...results]);
  }
  return solved.map((each) => ({ each, results: byCase.get(each) ?? [] }));
}

const isPass = ({ points }: TrialResult) => points?.passed === true;
const isFlaking = (results: readonly TrialResult[]) => results.some(isPass) && !results.every(isPass);

function replyOf({ each, results }: SolvedCase): [AuditedCase, string][] {
  const reply = results[0]?.finalOutput ?? null;
  return reply === null || !results.every(isPass) ? [] : [[each, reply]];
}

function findingsOf({ each, results }: SolvedCase) {
  const failed = results.find((result) => !isPass(result));
  if (!failed) return [];
  return [{ each, finding: findingOf(failed, { each, results }) }];
}

function findingOf(failed: TrialResult, { each, results }: SolvedCase): Finding {
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
      fix: fixOfCause(failed),
    };
  }
  if (isFlaking(results)) {
    const passes = results.filter(isPass).length;
    return {
      ...common,
      ...{ code: 'solution_flakes', severity: 'error' },
      message: `The solution of ${caseName(each)} passed ${passes} of ${results.length} times.`,
      fix: 'Remove what differs between runs (time, order, random numbers, ports) from the tests or the solution; the detail is of a run that did not pass.',
    };
  }
  const fails = { ...common, code: 'solution_fails', severity: 'error' as const };
  if (hasHung(failed)) {
    return {
      ...fails,
      message: 'The graders of the solution run into their time limit, so that it does not pass.',
      fix: 'Run the test command by hand on the solution: remove the loop or the wait that does not end, or raise `timeout_ms` of the validators named.',
    };
  }
  return {
    ...fails,
    message: 'The solution does not pass, so that no agent can.',
    fix: 'Correct the `expectations` of the case or its tests, by what the detail has as expected and actual; if they are right, correct `solution`.',
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
      fix: 'Add `solution` to the challenge or to the cases: `files`, a script (`run`), `steps`, or the final output that passes.',
      ...ofCases(missing),
    },
  ];
}

function solutionsNotRun(cases: readonly AuditedCase[]): Finding[] {
  if (cases.length === 0) return [];
  return [
    {
      ...{ check: 'oracle', code: 'solution_not_graded', severity: 'missing' },
      message: `The graders ran into their time limits for each of the first ${FIRST_SOLUTIONS} solutions, so that ${casesText(cases.length)} ${cases.length === 1 ? 'was' : 'were'} not run.`,
      fix: 'Remove the loop or the wait that keeps the tests from ending, or raise `timeout_ms`, and run the audit again.',
      ...ofCases(cases),
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
