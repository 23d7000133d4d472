import { setImmediate } from 'node:timers/promises';
import { isReplyTarget } from '../cheats/reach.js';
import { GUESSES } from '../cheats/texts.js';
import type { AuditedCase } from '../pack/audited-pack.js';
import { drawnNumber } from '../pack/sample.js';
import type { Finding } from '../report/report.js';
import { gainOver, type Points, passesAlone } from '../trials/points.js';
import type { TrialResult } from '../trials/trial.js';
import { type AuditContext, ofCases } from './context.js';
import { isRightReply } from './right-replies.js';

/** Replies of other cases' solutions that are tried on each case. */
const OTHERS_TRIED = 8;
/** One other reply may be right, too (an even number, a second name); half of several are not. */
const OTHERS_PASSING_MIN = 2;
const OTHERS_PASSING_SHARE = 0.5;
/** A constant reply that passes more of the cases in which it is wrong is an error. */
const MOST = 0.5;
/** Longer replies of solutions are compared with no others. */
const LENGTH_MAX = 10_000;
const SHOWN = 3;
const SHOWN_LENGTH = 40;

const CONSTANTS = GUESSES.cheats.flatMap(({ constantReply }) => constantReply ?? []);

export interface ReplyFacts {
  /** The digest of what grades the case; undefined where that is not known. */
  graderOf: (each: AuditedCase) => string | undefined;
  /** The agent that replies with its task: other replies take the place of that one. */
  echoOf: (each: AuditedCase) => TrialResult | undefined;
  withoutWork: (each: AuditedCase) => readonly Points[];
  /** Of solutions that pass. */
  solutionReplies: ReadonlyMap<AuditedCase, string>;
}

/** A reply that passes a case and is not the right one. */
interface Wrong {
  each: AuditedCase;
  text: string;
  points: Points;
}

/**
 * No case takes a wrong reply: one that is the same for every task, or those of other cases' solutions. A case needs a solution
 * that passes, by which a wrong reply is known. `always` are replies that pass every case, which is another finding.
 */
export async function checkReplies(
  context: AuditContext,
  facts: ReplyFacts,
  always: readonly string[],
): Promise<Finding[]> {
  const { validators } = context.pack.spec;
  if (!validators.some(isReplyTarget)) return [];
  const constants = CONSTANTS.filter((text) => !always.includes(text));
  const wrong: Wrong[] = [];
  const due = new Map<string, number>();
  for (const each of context.cases) {
    // Scoring may be work of this thread, which also has to read signals.
    await setImmediate();
    const texts = constants.filter((text) => isWrong(text, each, facts));
    for (const text of texts) due.set(text, (due.get(text) ?? 0) + 1);
    wrong.push(...(await passing(each, texts, { context, facts })));
    const others = otherReplies(each, context, facts);
    const taken = await passing(each, others, { context, facts });
    const isTaken = taken.length >= Math.max(OTHERS_PASSING_MIN, OTHERS_PASSING_SHARE * others.length);
    if (isTaken) wrong.push(...taken);
  }
  return findingsOf(wrong, { due, facts });
}

function isWrong(text: string, each: AuditedCase, { solutionReplies }: ReplyFacts): boolean {
  const right = solutionReplies.get(each);
  return right !== undefined && right.length <= LENGTH_MAX && !isRightReply(text, right);
}

/** Replies of solutions of cases that are graded in another way, drawn by the seed. */
function otherReplies(each: AuditedCase, { seed }: AuditContext, facts: ReplyFacts): string[] {
  const own = facts.graderOf(each);
  const texts = new Set(
    [...facts.solutionReplies].flatMap(([other, text]) =>
      facts.graderOf(other) === own || text.length > LENGTH_MAX ? [] : [text],
    ),
  );
  const wrong = [...texts].filter((text) => text.trim() !== '' && isWrong(text, each, facts));
  const ranked = wrong.map((text) => ({ text, drawn: drawnNumber(seed, `${each.case.case_key}\0${text}`) }));
  return ranked
    .sort((a, b) => a.drawn - b.drawn)
    .slice(0, OTHERS_TRIED)
    .map(({ text }) => text);
}

async function passing(
  each: AuditedCase,
  texts: readonly string[],
  { context, facts }: { context: AuditContext; facts: ReplyFacts },
): Promise<Wrong[]> {
  const echo = facts.echoOf(each);
  if (!echo) return [];
  const all = await Promise.all(texts.map((text) => context.pointsOfReply(each, echo, text)));
  const others = facts.withoutWork(each);
  return texts.flatMap((text, index) => {
    const points = all[index];
    return points && passesAlone(points, others) ? [{ each, text, points }] : [];
  });
}

/** One finding for all cases that take the same replies. */
function findingsOf(
  wrong: readonly Wrong[],
  { due, facts }: { due: ReadonlyMap<string, number>; facts: ReplyFacts },
): Finding[] {
  const counts = new Map<string, number>();
  for (const { text } of wrong) counts.set(text, (counts.get(text) ?? 0) + 1);
  const isOfMost = ({ text }: Wrong) => {
    const [count, of] = [counts.get(text) ?? 0, due.get(text) ?? Number.POSITIVE_INFINITY];
    return count >= OTHERS_PASSING_MIN && count > MOST * of;
  };
  const byCase = [...Map.groupBy(wrong, ({ each }) => each).values()];
  const alike = Map.groupBy(byCase, (group) => {
    const validators = validatorsOf(group, facts);
    return JSON.stringify([group.some(isOfMost), validators, [...new Set(group.map(({ text }) => text))]]);
  });
  return [...alike.values()].flatMap(([group = [], ...more]) => {
    const texts = [...new Set(group.map(({ text }) => text))];
    const cases = [group, ...more].flatMap(([wrongOf]) => (wrongOf ? [wrongOf.each] : []));
    const [first] = cases;
    if (!first) return [];
    return [
      {
        ...{ check: 'cheats', code: 'weak_case', severity: group.some(isOfMost) ? 'error' : 'warning' },
        message: `${texts.length === 1 ? 'A wrong reply passes' : `${texts.length} wrong replies pass`}: ${shown(texts)}.`,
        fix: 'Compare the validators named of this case with those of the others: correct a misspelt member of a schema, bound a pattern by `^` and `$`, or require the value that only its task leads to.',
        validators: validatorsOf(group, facts),
        detail: `the solution of ${first.case.case_key} replies with ${shown([facts.solutionReplies.get(first) ?? ''])}`,
        ...ofCases(cases),
      },
    ];
  });
}

/** Those that gave points which no agent without work has. */
function validatorsOf([first]: readonly Wrong[], { withoutWork }: ReplyFacts): string[] {
  return first ? gainOver(first.points, withoutWork(first.each)).validators : [];
}

function shown(texts: readonly string[]): string {
  const listed = texts
    .slice(0, SHOWN)
    .map((text) => JSON.stringify(text.length > SHOWN_LENGTH ? `${text.slice(0, SHOWN_LENGTH)}…` : text));
  return `${listed.join(', ')}${texts.length > SHOWN ? ', …' : ''}`;
}
