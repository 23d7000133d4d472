import { ImportedAttempt } from '@agentclash/api';
import { openZip, type ZipArchive, ZipError } from '@agentclash/archives';
import { isRecord } from '@agentclash/domain';
import { z } from 'zod';
import { jsonValue } from './json-lines.js';
import { problemsAt, type ReadAttempt, type ReadDefaults } from './read-attempt.js';
import { attemptOfResult } from './read-results.js';

/** A log in memory: its archive has one sample after the other, so that only one is unpacked at a time. */
export const INSPECT_BYTES_MAX = 268_435_456;

/** All samples of a log may be read, one at a time. */
const UNPACKED = { entryBytes: 16_777_216, totalBytes: Number.POSITIVE_INFINITY };

const Header = z.object({ eval: z.object({ model: z.string(), task: z.string() }) });

const content = z.union([
  z.string(),
  z.array(z.looseObject({ type: z.string(), text: z.string().nullish() })),
]);
const usage = z.object({
  input_tokens: z.number().nullish(),
  output_tokens: z.number().nullish(),
  total_tokens: z.number().nullish(),
});

const Message = z.object({
  role: z.enum(['system', 'user', 'assistant', 'tool']),
  content: content.nullish(),
  model: z.string().nullish(),
  tool_call_id: z.string().nullish(),
  error: z.unknown().optional(),
  tool_calls: z
    .array(z.object({ id: z.string(), function: z.string(), arguments: z.record(z.string(), z.unknown()) }))
    .nullish(),
});
type Message = z.infer<typeof Message>;

/** The members of a sample that an attempt is made of; others are ignored. */
const Sample = z.object({
  id: z.union([z.string(), z.number()]),
  epoch: z.number().int(),
  messages: z.array(Message).max(4_000),
  output: z
    .object({ choices: z.array(z.object({ message: Message })).nullish(), completion: z.string().nullish() })
    .nullish(),
  model_usage: z.record(z.string(), usage).nullish(),
  total_time: z.number().nullish(),
  error: z.object({ message: z.string() }).nullish(),
  limit: z.object({ type: z.string() }).nullish(),
  metadata: z.record(z.string(), z.unknown()).nullish(),
});
type Sample = z.infer<typeof Sample>;

/** The names of a sample for the fields of an attempt. */
const FIELDS = {
  ...{ lane: 'eval.model', case_key: 'id', repetition: 'epoch', latency_ms: 'total_time' },
  ...{ 'usage.input': 'model_usage', 'usage.output': 'model_usage', 'usage.total': 'model_usage' },
};

const SAMPLE = /^samples\/.+\.json$/;

/**
 * The attempts in a log of Inspect (`.eval`): a sample is an attempt, its id the case, its epoch the repetition, and the
 * model the lane. Scores are taken from exported samples only: those of other logs have no keys of a pack.
 */
export async function* readInspect(
  bytes: Uint8Array,
  defaults: ReadDefaults = {},
): AsyncGenerator<ReadAttempt, void, undefined> {
  try {
    const zip = await openZip(bytes, UNPACKED);
    const lane = defaults.lane ?? (await laneOf(zip));
    for (const name of zip.names)
      if (SAMPLE.test(name)) yield await sampleOf(zip, name, { ...defaults, lane });
  } catch (error) {
    if (!(error instanceof ZipError)) throw error;
    yield broken(error);
  }
}

function broken({ entry, message }: ZipError): ReadAttempt {
  const location = entry === '' ? 'archive' : entry;
  return { location, problems: [{ location, field: '', message }] };
}

async function laneOf(zip: ZipArchive): Promise<string | undefined> {
  const name = zip.names.includes('header.json') ? 'header.json' : '_journal/start.json';
  const read = jsonValue(name, await zip.read(name));
  const header = Header.safeParse(read !== undefined && 'value' in read ? read.value : undefined);
  if (!header.success) throw new ZipError(name, 'is no header of a log');
  return header.data.eval.model;
}

async function sampleOf(zip: ZipArchive, name: string, defaults: ReadDefaults): Promise<ReadAttempt> {
  let read: ReturnType<typeof jsonValue>;
  try {
    read = jsonValue(name, await zip.read(name));
  } catch (error) {
    if (!(error instanceof ZipError)) throw error;
    return broken(error);
  }
  if (read === undefined) return broken(new ZipError(name, 'is empty'));
  if ('problems' in read) return read;
  const sample = Sample.safeParse(read.value);
  if (!sample.success) return { location: name, problems: problemsAt(name, sample.error.issues) };
  return attemptOf(name, sample.data, defaults);
}

function attemptOf(location: string, sample: Sample, defaults: ReadDefaults): ReadAttempt {
  const steps = stepsOf(sample.messages);
  const final_output = outputOf(sample);
  const { agentclash } = sample.metadata ?? {};
  if (isRecord(agentclash) && isRecord(agentclash.result)) {
    return attemptOfResult({ location, value: agentclash.result }, defaults, { steps, final_output });
  }
  const attempt = ImportedAttempt.safeParse({
    lane: defaults.lane,
    case_key: String(sample.id),
    repetition: sample.epoch,
    ...endOf(sample),
    ...{ final_output: final_output ?? (steps.length > 0 ? '' : null), steps, usage: totalOf(sample) },
    latency_ms:
      sample.total_time === null || sample.total_time === undefined ? null : sample.total_time * 1_000,
  });
  if (!attempt.success) return { location, problems: problemsAt(location, attempt.error.issues, FIELDS) };
  return { location, attempt: attempt.data, source: {} };
}

const LIMITS: Readonly<Record<string, string>> = {
  ...{
    context: 'context',
    time: 'time',
    working: 'time',
    message: 'iterations',
    token: 'tokens',
    cost: 'cost',
  },
};

/** An error of a sample is none of its agent's: the attempt is missing data. */
function endOf({ error, limit }: Sample) {
  if (error) return { outcome: 'infra_error', error_code: 'sample_error' };
  if (!limit) return {};
  return { outcome: 'limit_reached', limit_kind: LIMITS[limit.type] ?? 'iterations' };
}

function outputOf({ output }: Sample): string | null {
  const [choice] = output?.choices ?? [];
  return output?.completion ?? (choice === undefined ? null : textOf(choice.message.content));
}

function stepsOf(messages: readonly Message[]) {
  const results = new Map(
    messages.flatMap((message) =>
      message.role === 'tool' && message.tool_call_id ? [[message.tool_call_id, message] as const] : [],
    ),
  );
  return messages
    .filter(({ role }) => role === 'assistant')
    .map(({ content: text, model, tool_calls }) => ({
      text: textOf(text),
      model: model ?? null,
      tool_calls: (tool_calls ?? []).map(({ id, function: name, arguments: given }) => {
        const result = results.get(id);
        return {
          ...{ id, name, arguments: given },
          result: result === undefined ? null : textOf(result.content),
          failed: isRecord(result?.error),
        };
      }),
    }));
}

function textOf(value: z.infer<typeof content> | null | undefined): string {
  if (typeof value === 'string') return value;
  return (value ?? []).flatMap(({ text }) => text ?? []).join('\n');
}

function totalOf({ model_usage }: Sample) {
  const each = Object.values(model_usage ?? {});
  if (each.length === 0) return null;
  const sum = (name: keyof z.infer<typeof usage>) =>
    each.reduce((total, figures) => total + (figures[name] ?? 0), 0);
  return { input: sum('input_tokens'), output: sum('output_tokens'), total: sum('total_tokens') };
}
