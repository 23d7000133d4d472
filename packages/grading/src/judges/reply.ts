import {
  compileJsonSchema,
  isExactObject,
  type Judge,
  type JudgeKind,
  readJson,
  withDoubles,
} from '@agentclash/challengepack';
import { isRecord } from '@agentclash/domain';
import type { SampleState } from './types.js';

type ReplyErrorCode =
  | 'unparsable'
  | 'schema_violation'
  | 'missing_score'
  | 'missing_verdict'
  | 'invalid_ranking';

/** The reading of a reply. A bad reply is an error of the sample, never a score. */
export interface ReplyReading {
  readonly state: SampleState;
  readonly reason: ReplyErrorCode | null;
  /** 0..1; null unless scored, and for n_wise, whose reply ranks instead. */
  readonly score: number | null;
  /** For n_wise: the labels, best first. */
  readonly ranking: readonly string[] | null;
}

export type ReplyRules = Pick<Judge, 'mode' | 'expect' | 'score_scale' | 'output_schema'>;

/** Makes the reader of one judge's replies. `labels` are those shown, for n_wise. */
export function replyReader(rules: ReplyRules): (reply: string, labels?: readonly string[]) => ReplyReading {
  const obeys = rules.output_schema === undefined ? () => true : compileJsonSchema(rules.output_schema);
  return (reply, labels = []) => {
    const object = replyObject(reply);
    if (object === null) return invalidReply('unparsable');
    if (object.unable_to_judge === true) {
      return { state: 'abstained', reason: null, score: null, ranking: null };
    }
    if (obeys === null || !obeys(object)) return invalidReply('schema_violation');
    return READERS[rules.mode](object, { rules, labels });
  };
}

interface ReadContext {
  readonly rules: ReplyRules;
  readonly labels: readonly string[];
}

type Reader = (object: Record<string, unknown>, context: ReadContext) => ReplyReading;

const READERS: { readonly [K in JudgeKind]: Reader } = {
  rubric: readScore,
  reference: readScore,
  assertion: readVerdict,
  n_wise: readRanking,
};

function readScore(
  { score }: Record<string, unknown>,
  { rules: { score_scale } }: ReadContext,
): ReplyReading {
  if (typeof score !== 'number') return invalidReply('missing_score');
  const { min, max } = score_scale;
  return scored((Math.min(max, Math.max(min, score)) - min) / (max - min));
}

const VERDICTS = new Map([
  ['pass', true],
  ['true', true],
  ['yes', true],
  ['fail', false],
  ['false', false],
  ['no', false],
]);

function readVerdict(
  { pass, verdict }: Record<string, unknown>,
  { rules: { expect } }: ReadContext,
): ReplyReading {
  const named = VERDICTS.get(String(verdict).trim().toLowerCase());
  const passes = named ?? (typeof pass === 'boolean' ? pass : undefined);
  return passes === undefined ? invalidReply('missing_verdict') : scored(passes === expect ? 1 : 0);
}

function readRanking(object: Record<string, unknown>, { labels }: ReadContext): ReplyReading {
  const ranking = object.ranking ?? object.ranked_ids;
  if (!isPermutation(ranking, labels)) return invalidReply('invalid_ranking');
  return { state: 'scored', reason: null, score: null, ranking };
}

function isPermutation(ranking: unknown, labels: readonly string[]): ranking is string[] {
  if (!Array.isArray(ranking) || ranking.length !== labels.length) return false;
  return labels.every((label) => ranking.includes(label));
}

function scored(score: number): ReplyReading {
  return { state: 'scored', reason: null, score, ranking: null };
}

function invalidReply(reason: ReplyErrorCode): ReplyReading {
  return { state: 'error', reason, score: null, ranking: null };
}

/** The JSON object of a judge's reply: in its first readable fenced block, else between the outermost braces. */
function replyObject(reply: string): Record<string, unknown> | null {
  const fenced = Array.from(reply.matchAll(/```[^\n`]*\n(.*?)```/gs), ([, body = '']) => body);
  const outermost = reply.slice(reply.indexOf('{'), reply.lastIndexOf('}') + 1);
  for (const text of [...fenced, outermost]) {
    const reading = readJson(text);
    if (!reading.ok || !isExactObject(reading.value)) continue;
    const value = withDoubles(reading.value);
    if (isRecord(value)) return value;
  }
  return null;
}
