import type { ZipEntry } from '@agentclash/archives';
import type { ResultRecord } from '../results/record.js';
import type { ExportedTrajectory } from './atif.js';
import type { Prompt, Reply } from './transcript.js';

const LOG_VERSION = 2;

/** The lane that a log is of: Inspect has one model, or agent, in a log. */
export interface InspectLog {
  run_id: string;
  lane: string;
  pack: string;
  version_number: number;
  version_digest: string;
  input_set: string;
  repetitions: number;
  status: 'success' | 'cancelled' | 'error';
  created_at: string;
  started_at: string | null;
  finished_at: string | null;
}

/** The entries of an `.eval` archive of Inspect, sample by sample; the header comes last, with the results. */
export async function* inspectEntries(
  log: InspectLog,
  trajectories: AsyncIterable<ExportedTrajectory>,
): AsyncGenerator<ZipEntry, void, undefined> {
  yield {
    name: '_journal/start.json',
    content: JSON.stringify({ version: LOG_VERSION, ...headOf(log, []) }),
  };
  const totals = new Totals();
  const summaries: Record<string, unknown>[] = [];
  for await (const trajectory of trajectories) {
    const sample = sampleOf(trajectory);
    totals.add(trajectory.record);
    summaries.push(summaryOf(trajectory.record, sample));
    const { case_key, repetition } = trajectory.record;
    const name = `samples/${entryName(case_key)}_epoch_${repetition}.json`;
    yield { name, content: JSON.stringify(sample) };
  }
  const summariesText = JSON.stringify(summaries);
  yield { name: '_journal/summaries/1.json', content: summariesText };
  yield { name: 'summaries.json', content: summariesText };
  const header = {
    version: LOG_VERSION,
    status: log.status,
    ...headOf(log, [...totals.sampleIds]),
    results: totals.results(),
    stats: {
      started_at: log.started_at ?? log.created_at,
      completed_at: log.finished_at ?? '',
      model_usage: totals.usage(log.lane),
    },
  };
  yield { name: 'header.json', content: JSON.stringify(header) };
}

function headOf(log: InspectLog, sampleIds: readonly string[]) {
  const { run_id, lane, pack, version_number, version_digest, input_set, repetitions, created_at } = log;
  return {
    eval: {
      ...{ eval_id: `${run_id}/${lane}`, run_id, created: created_at },
      ...{ task: pack, task_id: `${pack}/${input_set}`, task_version: version_number },
      ...{ task_attribs: {}, task_args: {}, task_args_passed: {} },
      dataset: { name: input_set, samples: sampleIds.length, sample_ids: sampleIds, shuffled: false },
      ...{ model: lane, model_generate_config: {}, model_args: {} },
      config: { epochs: repetitions },
      packages: {},
      metadata: { agentclash: { pack, version_number, version_digest, input_set, lane } },
    },
    plan: { name: 'plan', steps: [], config: {} },
  };
}

function sampleOf({ record, transcript }: ExportedTrajectory) {
  const prompts = transcript.entries.filter((entry) => entry.kind === 'prompt');
  const output = transcript.final_output ?? '';
  const usage = usageOf(record);
  return {
    ...{ id: record.case_key, epoch: record.repetition, uuid: record.attempt_id },
    input: prompts.map(({ text }) => text).join('\n\n'),
    // Expected outputs are not exported.
    target: '',
    messages: transcript.entries.flatMap(messagesOf),
    output: {
      model: record.lane,
      choices: [{ message: { role: 'assistant', content: output, source: 'generate' }, stop_reason: 'stop' }],
      completion: output,
      ...(usage && { usage }),
    },
    scores: scoresOf(record),
    metadata: { agentclash: { result: record } },
    ...{ store: {}, events: [], attachments: {} },
    model_usage: usage ? { [record.lane]: usage } : {},
    ...(record.latency_ms !== null && { total_time: record.latency_ms / 1_000 }),
    ...(record.error_code !== null && {
      error: { message: record.error_code, traceback: '', traceback_ansi: '' },
    }),
  };
}

function messagesOf(entry: Prompt | Reply): Record<string, unknown>[] {
  if (entry.kind === 'prompt') return [{ role: entry.role, content: entry.text, source: 'input' }];
  const { text, call, tool_calls } = entry;
  return [
    {
      ...{ role: 'assistant', content: text, source: 'generate' },
      ...(call && { model: call.model }),
      ...(tool_calls.length > 0 && {
        tool_calls: tool_calls.map(({ id, name, arguments: given }) => ({
          ...{ id, function: name, arguments: given, type: 'function' },
        })),
      }),
    },
    ...tool_calls.flatMap(({ id, name, result, failed }) =>
      result === undefined
        ? []
        : [
            {
              ...{ role: 'tool', content: result, tool_call_id: id, function: name },
              ...(failed && { error: { type: 'unknown', message: result } }),
            },
          ],
    ),
  ];
}

/** Each score that there is; what is missing has no entry. */
function scoresOf(record: ResultRecord): Record<string, unknown> {
  const scores: Record<string, Pick<ResultRecord['dimensions'][string], 'score' | 'reason'>> = {
    overall: { score: record.overall, reason: record.reason },
    ...record.dimensions,
    ...prefixed('validator', record.validators),
    ...prefixed('judge', record.judges),
  };
  return Object.fromEntries(
    Object.entries(scores).flatMap(([key, { score, reason }]) =>
      score === null ? [] : [[key, { value: score, ...(reason !== null && { explanation: reason }) }]],
    ),
  );
}

function prefixed<Value>(prefix: string, scores: Record<string, Value>): Record<string, Value> {
  return Object.fromEntries(Object.entries(scores).map(([key, score]) => [`${prefix}.${key}`, score]));
}

function summaryOf(record: ResultRecord, sample: ReturnType<typeof sampleOf>) {
  const { id, epoch, uuid, input, target, scores, model_usage } = sample;
  const values = Object.entries(scores).map(([key, score]) => {
    return [key, { value: (score as { value: number }).value }];
  });
  return {
    ...{ id, epoch, uuid, target, model_usage },
    input: input.slice(0, 1_000),
    metadata: { outcome: record.outcome },
    scores: Object.fromEntries(values),
    ...(record.error_code !== null && { error: record.error_code }),
    completed: record.outcome !== null,
  };
}

interface Usage {
  input_tokens: number;
  output_tokens: number;
  total_tokens: number;
}

function usageOf({ input_tokens: input, output_tokens: output, total_tokens: total }: ResultRecord) {
  if (input === null && output === null && total === null) return undefined;
  return {
    input_tokens: input ?? 0,
    output_tokens: output ?? 0,
    total_tokens: total ?? (input ?? 0) + (output ?? 0),
  } satisfies Usage;
}

class Totals {
  readonly sampleIds = new Set<string>();
  private samples = 0;
  private completed = 0;
  private readonly tokens: Usage = { input_tokens: 0, output_tokens: 0, total_tokens: 0 };
  private readonly scores = new Map<string, { sum: number; count: number }>();

  add(record: ResultRecord): void {
    this.sampleIds.add(record.case_key);
    this.samples += 1;
    if (record.error_code === null) this.completed += 1;
    for (const [name, tokens] of Object.entries(usageOf(record) ?? {})) {
      this.tokens[name as keyof Usage] += tokens;
    }
    for (const [key, score] of Object.entries(scoresOf(record))) {
      const total = this.scores.get(key) ?? { sum: 0, count: 0 };
      total.sum += (score as { value: number }).value;
      total.count += 1;
      this.scores.set(key, total);
    }
  }

  results() {
    return {
      ...{ total_samples: this.samples, completed_samples: this.completed },
      scores: [...this.scores].map(([name, { sum, count }]) => ({
        ...{ name, scorer: name, params: {} },
        ...{ scored_samples: count, unscored_samples: this.samples - count },
        metrics: { mean: { name: 'mean', value: sum / count, params: {} } },
      })),
    };
  }

  usage(lane: string): Record<string, Usage> {
    return this.tokens.total_tokens === 0 ? {} : { [lane]: this.tokens };
  }
}

/** Archives have no parts that lead elsewhere; keys are found in the samples, not in these names. */
function entryName(key: string): string {
  const part = (text: string) =>
    /^\.{0,2}$|[\\%]/.test(text) ? encodeURIComponent(text).replaceAll('.', '%2E') : text;
  return key.split('/').map(part).join('/');
}
