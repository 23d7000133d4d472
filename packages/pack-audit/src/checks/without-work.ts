import type { CheckSummary, Finding } from '../report/report.js';
import type { Points } from '../trials/points.js';
import type { Trial, TrialResult } from '../trials/trial.js';
import { type AuditContext, type CheckOutcome, casesText, grouped, notRun } from './context.js';
import { fixOfCause, whyNotPassed } from './reasons.js';

/** The agents that do no work. Points that they have are no gain of a cheat. */
export type Reference = 'idle' | 'echo' | 'blank';

const WORDS: Readonly<Record<Reference, string>> = {
  idle: 'An agent that does nothing',
  echo: 'An agent that replies with its task',
  blank: 'An agent that writes empty files',
};

/** Where the points come from, and what gives none. */
const FIXES: Readonly<Record<Reference, string>> = {
  idle: 'Let the validators named compare with something that only the work produces (a file or a reply that is not there at the start), and make that a gate.',
  echo: 'Let the validators named search for nothing that the task has: require one value in a fixed form (`exact_match`, `numeric_match`), or bound the reply (`length_range`), and make that a gate.',
  blank:
    'Let the validators named read what the file holds, not that it is there: compare its content or run it in tests, and make that a gate.',
};

export interface WithoutWork extends CheckOutcome {
  /** Of each case, in the order of the context; undefined where it did not apply or was not graded. */
  points: readonly (Points | undefined)[];
  /** In the same order. */
  results: readonly (TrialResult | undefined)[];
  /** Digests of what grades each case, in the same order; undefined where it was not planned. */
  graders: readonly (string | undefined)[];
}

/** Where the graders hang for solutions, they do for other agents. */
export function withoutWorkNotRun(): WithoutWork {
  return { findings: [], summary: notRun(), points: [], results: [], graders: [] };
}

/** None of the agents that do no work passes any case. */
export async function checkWithoutWork(reference: Reference, context: AuditContext): Promise<WithoutWork> {
  const trials = context.cases.map((each): Trial => ({ case: each, role: { kind: reference } }));
  const results = await context.runAll(trials);
  const findings = grouped(
    trials.flatMap(({ case: each }, index) => {
      const finding = findingOf(reference, results[index]);
      return finding ? [{ each, finding }] : [];
    }),
  );
  return {
    findings,
    summary: summaryOf(
      reference,
      results.filter((result) => result !== undefined),
      findings,
    ),
    points: results.map((result) => result?.points ?? undefined),
    results,
    graders: results.map((result) => result?.graderDigest),
  };
}

function findingOf(reference: Reference, result: TrialResult | undefined): Finding | undefined {
  if (!result) return undefined;
  if (result.points === null) {
    return {
      ...{ check: reference, code: `${reference}_not_graded`, severity: 'missing' },
      message: `${WORDS[reference]} was not graded.`,
      fix: fixOfCause(result),
      detail: whyNotPassed(result),
    };
  }
  if (result.points.passed !== true) return undefined;
  const validators = Object.entries(result.points.validators).flatMap(([key, score]) =>
    score > 0 ? [key] : [],
  );
  if (result.points.lacksJudges) {
    return {
      ...{ check: reference, code: `${reference}_passes_but_judges`, severity: 'warning', validators },
      message: `${WORDS[reference]} passes everything but the judges, which an audit does not call.`,
      fix: 'Add a validator that such an agent fails, as a gate, or make sure with a trial run that each judge fails it.',
    };
  }
  return {
    ...{ check: reference, code: `${reference}_passes`, severity: 'error', validators },
    message: `${WORDS[reference]} passes.`,
    fix: FIXES[reference],
  };
}

function summaryOf(
  reference: Reference,
  results: readonly TrialResult[],
  findings: readonly Finding[],
): CheckSummary {
  if (results.length === 0) return { state: 'skipped', trials: 0, summary: 'no case has a file to write' };
  const passed = results.filter(({ points }) => points?.passed === true).length;
  const isFailed = findings.some(({ severity }) => severity === 'error');
  const isMissing = findings.some(({ severity }) => severity === 'missing');
  return {
    state: isFailed ? 'failed' : isMissing ? 'incomplete' : 'passed',
    trials: results.length,
    summary: `${WORDS[reference]} passes ${passed} of ${casesText(results.length)}`,
  };
}
