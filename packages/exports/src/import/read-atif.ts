import { ImportedAttempt } from '@agentclash/api';
import { isRecord } from '@agentclash/domain';
import { z } from 'zod';
import { jsonDocument, jsonValues } from './json-lines.js';
import { problemsAt, type ReadAttempt, type ReadDefaults } from './read-attempt.js';
import { attemptOfResult } from './read-results.js';

const metrics = z
  .object({
    prompt_tokens: z.number().nullish(),
    completion_tokens: z.number().nullish(),
    cached_tokens: z.number().nullish(),
    cost_usd: z.number().nullish(),
  })
  .nullish();

/** A text, or parts of it; parts that are no text are left out. */
const content = z.union([
  z.string(),
  z.array(z.looseObject({ type: z.string(), text: z.string().nullish() })),
]);

const Step = z.object({
  step_id: z.number().int().min(1),
  source: z.enum(['system', 'user', 'agent']),
  message: content.nullish(),
  model_name: z.string().nullish(),
  tool_calls: z
    .array(
      z.object({
        tool_call_id: z.string(),
        function_name: z.string(),
        arguments: z.record(z.string(), z.unknown()),
      }),
    )
    .nullish(),
  observation: z
    .object({
      results: z.array(z.object({ source_call_id: z.string().nullish(), content: content.nullish() })),
    })
    .nullish(),
  metrics,
});
type Step = z.infer<typeof Step>;

/** The members of a trajectory that an attempt is made of; others are ignored. */
const Trajectory = z.object({
  schema_version: z.string().regex(/^ATIF-v1\.\d+$/, 'must be ATIF-v1.x'),
  agent: z.object({ name: z.string() }),
  steps: z.array(Step).min(1).max(1_000),
  final_metrics: z
    .object({
      total_prompt_tokens: z.number().nullish(),
      total_completion_tokens: z.number().nullish(),
      total_cached_tokens: z.number().nullish(),
      total_cost_usd: z.number().nullish(),
    })
    .nullish(),
  extra: z.record(z.string(), z.unknown()).nullish(),
});
type Trajectory = z.infer<typeof Trajectory>;

/** The names of a trajectory for the fields of an attempt. */
const FIELDS = {
  ...{ lane: 'agent.name', case_key: 'extra.case_key', repetition: 'extra.repetition' },
  ...{ 'usage.input': 'final_metrics.total_prompt_tokens', 'usage.total': 'final_metrics' },
  ...{ 'usage.output': 'final_metrics.total_completion_tokens' },
  ...{ 'usage.cached_input': 'final_metrics.total_cached_tokens', cost_usd: 'final_metrics.total_cost_usd' },
};

/**
 * The attempts in a file of trajectories (ATIF): JSON lines, or a single document. An exported trajectory has its result
 * in `extra.agentclash`; of others the case is `extra.case_key` or `extra.task_name`, else the one that is named for all.
 */
export async function* readAtif(
  bytes: AsyncIterable<Uint8Array>,
  { isDocument = false, ...defaults }: ReadDefaults & { isDocument?: boolean } = {},
): AsyncGenerator<ReadAttempt, void, undefined> {
  for await (const line of isDocument ? jsonDocument(bytes) : jsonValues(bytes)) {
    yield 'problems' in line ? line : attemptOf(line, defaults);
  }
}

function attemptOf(
  { location, value }: { location: string; value: unknown },
  defaults: ReadDefaults,
): ReadAttempt {
  const read = Trajectory.safeParse(value);
  if (!read.success) return { location, problems: problemsAt(location, read.error.issues) };
  const trajectory = read.data;
  const { agentclash, case_key, task_name, repetition } = trajectory.extra ?? {};
  const steps = trajectory.steps.flatMap((step) => (step.source === 'agent' ? [stepOf(step)] : []));
  if (isRecord(agentclash) && isRecord(agentclash.result)) {
    return attemptOfResult({ location, value: agentclash.result }, defaults, {
      steps,
      final_output: typeof agentclash.final_output === 'string' ? agentclash.final_output : null,
    });
  }
  const attempt = ImportedAttempt.safeParse({
    lane: defaults.lane ?? trajectory.agent.name,
    case_key: case_key ?? task_name ?? defaults.caseKey,
    repetition: repetition ?? undefined,
    final_output: steps.findLast(({ text }) => text !== '')?.text ?? (steps.length > 0 ? '' : null),
    steps,
    ...figuresOf(trajectory),
  });
  if (!attempt.success) return { location, problems: problemsAt(location, attempt.error.issues, FIELDS) };
  return { location, attempt: attempt.data, source: {} };
}

function stepOf({ message, model_name, tool_calls, observation, metrics: figures }: Step) {
  const results = observation?.results ?? [];
  return {
    text: textOf(message),
    model: model_name ?? null,
    usage: figures ? usageOf(figures.prompt_tokens, figures.completion_tokens, figures.cached_tokens) : null,
    cost_usd: figures?.cost_usd ?? null,
    tool_calls: (tool_calls ?? []).map(({ tool_call_id: id, function_name: name, arguments: given }) => {
      const result = results.find(({ source_call_id }) => source_call_id === id);
      return { id, name, arguments: given, result: result === undefined ? null : textOf(result.content) };
    }),
  };
}

function textOf(value: z.infer<typeof content> | null | undefined): string {
  if (typeof value === 'string') return value;
  return (value ?? []).flatMap(({ text }) => text ?? []).join('\n');
}

function figuresOf({ final_metrics: totals }: Trajectory) {
  if (!totals) return {};
  const { total_prompt_tokens: input, total_completion_tokens: output, total_cached_tokens: cached } = totals;
  return { usage: usageOf(input, output, cached), cost_usd: totals.total_cost_usd ?? null };
}

function usageOf(input: number | null = null, output: number | null = null, cached: number | null = null) {
  if (input === null && output === null) return null;
  return { input, output, total: (input ?? 0) + (output ?? 0), cached_input: cached };
}
