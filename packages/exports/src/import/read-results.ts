import { ImportedAttempt } from '@agentclash/api';
import { z } from 'zod';
import { RESULT_SCHEMA } from '../results/record.js';
import { jsonValues } from './json-lines.js';
import { problemsAt, type ReadAttempt, type ReadDefaults } from './read-attempt.js';

const text = z.string().nullish();
const number = z.number().nullish();
const results = z.record(z.string(), z.record(z.string(), z.unknown())).nullish();

/** A date and time of day. The calendar has it, so `2020-13-45` is none. */
const time = z
  .union([z.iso.datetime({ offset: true, local: true }), z.iso.date()], {
    error: 'must be a date and time, such as 2026-01-31T09:30:00Z',
  })
  .nullish();

/** Members of an exported result that an attempt is not made of. */
const IDENTITY = [
  ...['run_id', 'run_name', 'version_id', 'evaluation_spec_id', 'deployment', 'deployment_id', 'variant'],
  ...['kind', 'attempt_id', 'challenge_key', 'passed', 'overall', 'validity', 'reason'],
  ...['scorecard_revision', 'served_calls', 'skipped', 'stopped', 'selective_retry', 'imported'],
  ...['audit_result', 'audit_strength', 'audit_cheats_gained', 'audited_at'],
];

function members(names: readonly string[]) {
  return Object.fromEntries(names.map((name) => [name, z.unknown().optional()]));
}

/** The names of a result for the fields of an attempt. */
const FIELDS = {
  ...{ 'usage.input': 'input_tokens', 'usage.output': 'output_tokens', 'usage.total': 'total_tokens' },
  scores: '',
};

/**
 * A line of results: what `run export --format jsonl` writes, or another program with at least `case_key` and `lane`. A
 * member that a result does not have is a mistake, such as a misspelt name. Numbers and keys are checked as those of every imported attempt.
 */
const ResultLine = z.strictObject({
  ...members(IDENTITY),
  schema: z.literal(RESULT_SCHEMA).nullish(),
  pack: text,
  version_number: z.number().int().nullish(),
  version_digest: text,
  input_set: text,
  lane: text,
  case_key: text,
  repetition: number,
  state: text,
  outcome: text,
  limit_kind: text,
  error_code: text,
  final_output: text,
  dimensions: results,
  validators: results,
  judges: results,
  metrics: z.record(z.string(), z.union([z.number(), z.boolean(), z.null()])).nullish(),
  input_tokens: number,
  output_tokens: number,
  total_tokens: number,
  cost_usd: number,
  cost_at_least_usd: number,
  model_calls: number,
  tool_calls: number,
  latency_ms: number,
  started_at: time,
  finished_at: time,
});
type ResultLine = z.infer<typeof ResultLine>;

/** The attempts in a file of results, one at a time. */
export async function* readResults(
  content: AsyncIterable<Uint8Array>,
  defaults: ReadDefaults = {},
): AsyncGenerator<ReadAttempt, void, undefined> {
  for await (const line of jsonValues(content)) {
    yield 'problems' in line ? line : attemptOfResult(line, defaults);
  }
}

/** The evidence beside a result in another format. */
interface Evidence {
  steps?: unknown;
  final_output?: string | null;
}

/** The attempt of a result that `run export` wrote, here or in another format. */
export function attemptOfResult(
  { location, value }: { location: string; value: unknown },
  { lane, caseKey, withoutScores = false }: ReadDefaults,
  { steps, final_output }: Evidence = {},
): ReadAttempt {
  const line = ResultLine.safeParse(value);
  if (!line.success) return { location, problems: problemsAt(location, line.error.issues) };
  const { data } = line;
  if (isUnfinished(data)) return { location, unfinished: true };
  const attempt = ImportedAttempt.safeParse({
    lane: data.lane ?? lane,
    case_key: data.case_key ?? caseKey,
    repetition: data.repetition ?? undefined,
    outcome: data.outcome ?? undefined,
    limit_kind: data.limit_kind ?? null,
    error_code: data.error_code ?? null,
    final_output: final_output ?? data.final_output ?? null,
    ...(steps !== undefined && { steps }),
    usage: usageOf(data),
    cost_usd: data.cost_usd ?? null,
    cost_at_least_usd: data.cost_at_least_usd ?? null,
    model_calls: data.model_calls ?? null,
    tool_calls: data.tool_calls ?? null,
    latency_ms: data.latency_ms ?? null,
    ...(!withoutScores && hasScores(data) && { scores: scoresOf(data) }),
  });
  if (!attempt.success) return { location, problems: problemsAt(location, attempt.error.issues, FIELDS) };
  const { pack, version_number, version_digest, input_set } = data;
  return {
    ...{ location, attempt: attempt.data },
    source: {
      ...{ pack: pack ?? undefined, version_number: version_number ?? undefined },
      ...{ version_digest: version_digest ?? undefined, input_set: input_set ?? undefined },
    },
  };
}

/** A record of an attempt that never ended: skipped, or exported while the run was going on. */
function isUnfinished({ state, outcome }: ResultLine): boolean {
  return typeof state === 'string' && (outcome ?? null) === null;
}

function usageOf({ input_tokens, output_tokens, total_tokens }: ResultLine) {
  const usage = { input: input_tokens ?? null, output: output_tokens ?? null, total: total_tokens ?? null };
  return Object.values(usage).every((value) => value === null) ? null : usage;
}

function hasScores({ dimensions, validators, judges }: ResultLine): boolean {
  return [dimensions, validators, judges].some((scores) => Object.keys(scores ?? {}).length > 0);
}

function scoresOf({ dimensions, validators, judges, metrics }: ResultLine) {
  return {
    dimensions: each(dimensions, ['state', 'score', 'reason', 'raw']),
    validators: each(validators, ['state', 'verdict', 'score', 'reason']),
    judges: each(judges, ['state', 'score', 'reason']),
    metrics: metrics ?? {},
  };
}

/** These members of each result; what the pack declares, such as a validator's type, is not taken from a file. */
function each(scores: ResultLine['dimensions'], members: readonly string[]) {
  return Object.fromEntries(
    Object.entries(scores ?? {}).map(([key, result]) => [
      key,
      Object.fromEntries(members.flatMap((name) => (name in result ? [[name, result[name]]] : []))),
    ]),
  );
}
