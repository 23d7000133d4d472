import type { Cheat } from '../cheats/cheat.js';
import { CHEATS } from '../cheats/cheats.js';
import type { AuditedCase } from '../pack/audited-pack.js';
import { caseName } from '../pack/case-name.js';
import { drawCases } from '../pack/sample.js';
import type { CheatsSummary, Finding } from '../report/report.js';
import { hasHung } from '../trials/pace.js';
import { gainOver, type Points, passesAlone } from '../trials/points.js';
import type { Trial, TrialResult } from '../trials/trial.js';
import { byCause } from './common-causes.js';
import { type AuditContext, type CheckOutcome, notRun, ofCases } from './context.js';
import { type Coverage, coverageText, coveringCases, uncoveredGraders } from './distinct-graders.js';
import { furtherTries, type Try } from './further-graders.js';
import { checkReplies, type ReplyFacts } from './weak-cases.js';

/** A smaller rise of a graded score (a text that shares a word with the expected one) is no gain. */
const GAIN_MIN = 0.1;
/** A reply that is right in all of these is right in every case, or nearly. */
const GUESS_CASES = 20;
/** In a pack of one case a reply can be right by chance. */
const GUESS_CASES_MIN = 2;
const TAIL = 300;

const GUESSES = CHEATS.filter(({ constantReply }) => constantReply !== undefined);
const OTHERS = CHEATS.filter(({ constantReply }) => constantReply === undefined);

/** A cheat that applies to a case. */
interface PlayedCheat {
  cheat: Cheat;
  each: AuditedCase;
  result: TrialResult;
}

/** Where no solution passes, a cheat that gains nothing shows nothing. */
export function cheatsNotRun(): CheckOutcome<CheatsSummary> {
  return {
    findings: [
      {
        ...{ check: 'cheats', code: 'cheats_not_run', severity: 'missing' },
        message: 'No solution passes; cheats and mutants were not run.',
        fix: 'Make a solution pass, by the findings of the check `oracle`, and run the audit again.',
      },
    ],
    summary: { ...notRun(), state: 'incomplete', tried: 0, gained: 0, graders: 0, graders_tried: 0 },
  };
}

/** The facts of each case before cheats are tried on it. */
export interface CaseFacts extends ReplyFacts {
  /** The points of agents without work. */
  withoutWork: (each: AuditedCase) => readonly Points[];
}

/** No cheat gains what agents without work do not have, on any of the distinct graders. */
export async function checkCheats(
  context: AuditContext,
  facts: CaseFacts,
): Promise<CheckOutcome<CheatsSummary>> {
  const { withoutWork, graderOf } = facts;
  const { drawn, ...covering } = coveringCases(context, graderOf);
  const { runAll } = context;
  const guesses = context.cases.length < GUESS_CASES_MIN ? 0 : GUESSES.length;
  context.expect(drawn.length + OTHERS.length + guesses);
  const short = drawn.map((each): Trial => ({ case: each, role: { kind: 'short_reply' } }));
  const shortReplies = await runAll(short);
  const shortPoints = new Map(drawn.map((each, index) => [each, shortReplies[index]?.points ?? undefined]));
  const { played, cases } = await playCheats(drawn, context, guesses);
  const coverage = { ...covering, graders_tried: new Set(cases.map((each) => graderOf(each) ?? each)).size };
  const found = played.flatMap(({ cheat, each, result }) => {
    const references = { withoutWork: withoutWork(each), shortReply: shortPoints.get(each) };
    const finding = cheatFinding(cheat, result, references);
    return finding ? [{ each, finding }] : [];
  });
  const keys = new Set(played.map(({ cheat }) => cheat.key));
  const guessed = await checkGuesses(context, withoutWork);
  const findings = [
    ...byCause(byCheat(found), keys.size),
    ...guessed.findings,
    ...(await checkReplies(context, facts, guessed.always)),
    ...hiddenFailures(context),
    ...(keys.size === 0 ? [] : uncoveredGraders(coverage)),
  ];
  const tried = new Set([...keys, ...guessed.tried]).size;
  const gained = new Set(
    findings.flatMap(({ cheat, other_cheats = [], severity }) =>
      severity === 'missing' || cheat === undefined ? [] : [cheat, ...other_cheats],
    ),
  ).size;
  const notGraded = new Set(
    found.flatMap(({ finding: { cheat, severity } }) => (severity === 'missing' ? (cheat ?? []) : [])),
  ).size;
  const isFailed = findings.some(({ severity }) => severity === 'error');
  const isMissing = findings.some(({ severity }) => severity === 'missing');
  return {
    findings,
    summary: {
      state: tried === 0 ? 'skipped' : isFailed ? 'failed' : isMissing ? 'incomplete' : 'passed',
      trials: shortReplies.filter(Boolean).length + played.length + guessed.trials,
      summary: summaryText({ tried, gained, notGraded, ...coverage }),
      ...{ tried, gained, ...coverage },
    },
  };
}

function summaryText({
  tried,
  gained,
  notGraded,
  ...coverage
}: Coverage & Pick<CheatsSummary, 'tried' | 'gained'> & { notGraded: number }) {
  if (tried === 0) return 'no cheat applies';
  const ungraded = notGraded === 0 ? '' : `, ${notGraded} were not graded`;
  return `${gained} of ${tried} cheats gain a point${ungraded}, tried on ${coverageText(coverage)}; agents over an endpoint are not tried`;
}

const MISSING_SHARE_USUAL = 0.05;

/** An audit has no endpoint, whose errors are missing data: it reads how many of them an agent can afford. */
function hiddenFailures({ pack }: AuditContext): Finding[] {
  const { max_missing_share: share = MISSING_SHARE_USUAL } = pack.spec.scorecard;
  if (share <= MISSING_SHARE_USUAL) return [];
  return [
    {
      ...{ check: 'cheats', code: 'failures_hidden', severity: 'warning' },
      message: `An endpoint agent can respond with an error wherever its result would be wrong, in up to ${Math.round(share * 100)} % of its attempts, and keeps its rank.`,
      fix: 'Remove `max_missing_share` from the scorecard, or set it to 0.05 or below.',
    },
  ];
}

/** One finding for each cheat and code, with the detail of the first case. */
function byCheat(found: readonly { each: AuditedCase; finding: Finding }[]): Finding[] {
  const groups = Map.groupBy(found, ({ finding: { cheat, code } }) => `${cheat} ${code}`);
  return [...groups.values()].flatMap((group) => {
    const finding = group[0]?.finding;
    return finding ? [{ ...finding, ...ofCases(group.map(({ each }) => each)) }] : [];
  });
}

/** A cheat whose grading hangs on the first case, up to the time limit of the grader, is tried on no other. */
async function playCheats(
  drawn: readonly AuditedCase[],
  context: AuditContext,
  guesses: number,
): Promise<{ played: PlayedCheat[]; cases: AuditedCase[] }> {
  const [each, ...others] = drawn;
  if (!each) return { played: [], cases: [] };
  const { runAll, expect, isInterrupted } = context;
  const first = await played(triesOf(OTHERS, each), runAll);
  const hanging = new Set(first.flatMap(({ cheat, result }) => (hasHung(result) ? [cheat] : [])));
  const cheats = OTHERS.filter((cheat) => !hanging.has(cheat));
  const applied = new Set(first.map(({ cheat }) => cheat));
  const tries = furtherTries(context, { each, cheats, applied }, others);
  expect(drawn.length + OTHERS.length + tries.length + guesses);
  const all = [...first, ...(await played(tries, runAll))];
  const tried = isInterrupted() ? all : [{ each }, ...tries];
  return { played: all, cases: [...new Set(tried.map(({ each: of }) => of))] };
}

function triesOf(cheats: readonly Cheat[], each: AuditedCase): Try[] {
  return cheats.map((cheat) => ({ cheat, each }));
}

async function played(tries: readonly Try[], runAll: AuditContext['runAll']): Promise<PlayedCheat[]> {
  const results = await runAll(tries.map(({ cheat, each }) => cheatTrial(cheat, each)));
  return tries.flatMap(({ cheat, each }, index) =>
    results[index] ? [{ cheat, each, result: results[index] }] : [],
  );
}

function cheatTrial({ key }: Cheat, each: AuditedCase): Trial {
  return { case: each, role: { kind: 'cheat', key } };
}

/** Points of agents that do no work on the case of a cheat. */
interface References {
  withoutWork: readonly Points[];
  /** Can be right by chance, so that a cheat which passes is compared with the others alone. */
  shortReply?: Points | undefined;
}

/** The finding of one trial of a cheat; undefined where it gains nothing. */
export function cheatFinding(
  cheat: Cheat,
  result: TrialResult,
  { withoutWork: others, shortReply }: References,
): Finding | undefined {
  const { points } = result;
  if (points === null) return notGradedFinding(cheat, result);
  const gain = gainOver(points, others);
  const passes = points.passed === true && others.every(({ passed }) => passed !== true);
  const dimensions = gain.dimensions.filter((key) =>
    [...others, ...(shortReply ? [shortReply] : [])].every(
      (other) => (points.dimensions[key] ?? 0) - (other.dimensions[key] ?? 0) >= GAIN_MIN,
    ),
  );
  // Where a gate does not hold, the scores beside it count for nothing.
  if (!passes && (dimensions.length === 0 || points.overall === 0)) return undefined;
  const { validators } = gain;
  return {
    check: 'cheats',
    ...verdictOf(cheat, { passes, points, dimensions }),
    fix: cheat.fix,
    cheat: cheat.key,
    ...(validators.length > 0 && { validators }),
    ...(dimensions.length > 0 && { dimensions }),
    ...detailOf(result, validators),
  };
}

function verdictOf(
  { title }: Cheat,
  { passes, points, dimensions }: { passes: boolean; points: Points; dimensions: readonly string[] },
): Pick<Finding, 'code' | 'severity' | 'message'> {
  if (!passes) {
    const message = `${title} It gains in ${dimensions.join(', ')}.`;
    return { code: 'cheat_gains', severity: 'warning', message };
  }
  if (points.lacksJudges) {
    const message = `${title} It passes everything but the judges, which an audit does not call.`;
    return { code: 'cheat_passes_but_judges', severity: 'warning', message };
  }
  return { code: 'cheat_passes', severity: 'error', message: `${title} It passes.` };
}

/** An attempt without a grade is missing data: a cheat that can choose it hides its failures. */
function notGradedFinding(cheat: Cheat, { outcome, error }: TrialResult): Finding {
  return {
    ...{ check: 'cheats', code: 'cheat_not_graded', severity: 'missing' },
    message: `${cheat.title} Its attempt was not graded, and would count as missing data.`,
    fix: 'Run the audit again; if the same cheat is not graded each time, report it to the operator of the sandboxes.',
    cheat: cheat.key,
    detail: error ? `${outcome}: ${error.code}: ${error.message}` : outcome,
  };
}

/** How the graders came to their points: the score of each validator, and the end of what its command printed. */
function detailOf({ points, evidence }: TrialResult, validators: readonly string[]): Pick<Finding, 'detail'> {
  const lines = validators.map((key) => {
    const run = evidence.events.find(
      ({ event_type, payload }) =>
        event_type === 'grader.verification.code_executed' && payload.validator_key === key,
    );
    const score = `${key}: ${points?.validators[key] ?? 0}`;
    if (!run) return score;
    const { command, exit_code, stdout_tail } = run.payload;
    const printed = typeof stdout_tail === 'string' ? stdout_tail.trim().slice(-TAIL) : '';
    return `${score}; \`${String(command)}\` exited with ${String(exit_code)}${printed && ` and printed: ${printed}`}`;
  });
  return lines.length === 0 ? {} : { detail: lines.join('\n') };
}

interface Guessed {
  findings: Finding[];
  /** The replies that pass every case. */
  always: string[];
  tried: string[];
  trials: number;
}

/** A constant reply goes to the next case while it passes: most are wrong in the first. */
async function checkGuesses(
  { cases, seed, runAll }: AuditContext,
  withoutWork: (each: AuditedCase) => readonly Points[],
): Promise<Guessed> {
  const drawn = drawCases(cases, { most: GUESS_CASES, seed });
  const targets = drawn.length < GUESS_CASES_MIN ? [] : drawn;
  let left = GUESSES;
  const guessed: Guessed = { findings: [], always: [], tried: [], trials: 0 };
  for (const each of targets) {
    const results = await played(triesOf(left, each), runAll);
    guessed.trials += results.length;
    if (guessed.tried.length === 0) guessed.tried = results.map(({ cheat }) => cheat.key);
    left = results.flatMap(({ cheat, result }) =>
      passesAlone(result.points, withoutWork(each)) ? [cheat] : [],
    );
    if (left.length === 0) break;
  }
  const always = targets.length === 0 ? [] : left;
  guessed.findings = always.map((cheat) => guessFinding(cheat, drawn));
  guessed.always = always.flatMap(({ constantReply }) => constantReply ?? []);
  return guessed;
}

function guessFinding(cheat: Cheat, cases: readonly AuditedCase[]): Finding {
  const [first] = cases;
  return {
    ...{ check: 'cheats', code: 'guess_passes', severity: 'error' },
    message: `${cheat.title} It passes all ${cases.length} cases that were tried${first ? `, ${caseName(first)} first` : ''}.`,
    fix: cheat.fix,
    cheat: cheat.key,
    ...ofCases(cases),
  };
}
