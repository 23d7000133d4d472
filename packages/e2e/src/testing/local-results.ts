import { readFileSync } from 'node:fs';
import path from 'node:path';
import { agentclash, type Product, type StackFolder } from '../product.js';
import type { Race } from './example-races.js';

/** The scorecards of all attempts and the ranking of a run. */
interface Results {
  cards: { agent: string; case: string; repetition: number; outcome: string | null; card: unknown }[];
  ranking: unknown[];
}

interface LocalRace {
  race: Race;
  /** The file of the pack, and that of its agents. */
  pack: string;
  agents: string;
  secrets?: readonly string[];
  env?: NodeJS.ProcessEnv;
}

interface ScoredAttempt {
  attempt: { agent_name: string; case_key: string; repetition: number; outcome: string | null };
  scorecard: { scorecard: unknown };
}

/** Runs a pack in one process and reads its file of results. Throws when it did not come to its end. */
export async function localResults(
  folder: StackFolder,
  { race, pack, agents, secrets = [], env = {} }: LocalRace,
): Promise<Results> {
  const file = path.join(folder.path, `${race.pack}.clash`);
  const words = ['run', pack, '--agents', agents, '--input-set', race.inputSet ?? 'default', '-o', file];
  const named = ['--deployment', ...race.agents, ...(secrets.length > 0 ? ['--secret', ...secrets] : [])];
  const ended = await agentclash([...words, ...named], { folder, env, timeoutMs: 280_000 });
  if (ended.code !== 0)
    throw new Error(`the local run of ${race.pack} ended with ${ended.code}: ${ended.stderr}`);
  const records = readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line): { record: string } => JSON.parse(line));
  const attempts = records.filter(({ record }) => record === 'attempt') as unknown as ScoredAttempt[];
  const [end] = records.filter(({ record }) => record === 'end') as unknown as {
    ranking: { items: unknown[] };
  }[];
  return { cards: attempts.map(cardOf), ranking: end?.ranking.items ?? [] };
}

/** The same of a run on a stack. */
export async function stackResults(product: Product, runId: string): Promise<Results> {
  const [{ scorecards }, { items }] = await Promise.all([
    product.read<{ scorecards: { attempt: ScoredAttempt['attempt']; reply: ScoredAttempt['scorecard'] }[] }>(
      ...['eval', 'scorecard', runId, '--all'],
    ),
    product.read<{ items: unknown[] }>('run', 'ranking', runId),
  ]);
  return {
    cards: scorecards.map(({ attempt, reply }) => cardOf({ attempt, scorecard: reply })),
    ranking: items,
  };
}

function cardOf({ attempt, scorecard: { scorecard: card } }: ScoredAttempt): Results['cards'][number] {
  const { agent_name: agent, case_key, repetition, outcome } = attempt;
  return { agent, case: case_key, repetition, outcome, card };
}

/** Ids, and figures of metrics and dimensions that measure time, are left out; everything else is compared. */
export function comparableResults({ cards, ranking }: Results): Results {
  return {
    cards: cards
      .map((each) => ({ ...each, card: withoutTimes(each.card) }))
      .sort((a, b) => keyOf(a).localeCompare(keyOf(b))),
    ranking: ranking.map(withoutTimes),
  };
}

function keyOf({ agent, case: key, repetition }: Results['cards'][number]): string {
  return JSON.stringify([agent, key, repetition]);
}

const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const TIMED = /(latency|_ms$|ttft|duration|per_second|elapsed)/;

function withoutTimes(value: unknown): unknown {
  if (typeof value === 'string') return ID.test(value) ? 'id' : value;
  if (Array.isArray(value)) return value.map(withoutTimes);
  if (typeof value !== 'object' || value === null) return value;
  const isMeasured = 'unit' in value && value.unit === 'ms';
  const named = 'key' in value && typeof value.key === 'string' && TIMED.test(value.key);
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => {
      const isTime =
        TIMED.test(key) || (isMeasured && key === 'value') || (named && typeof member === 'number');
      return [key, isTime && typeof member === 'number' ? 'time' : withoutTimes(member)];
    }),
  );
}
