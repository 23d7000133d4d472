import type { Preset } from '@agentclash/agent-presets';
import type { EventPayloads, ExecutionEventType } from '@agentclash/domain';
import type { AttemptEvidence } from './scripted-attempt.js';
import type { Marks } from './small-task.js';

/** One line of the report. */
export interface PresetCheck {
  key: 'starts' | 'model' | 'task' | 'instructions' | 'edits' | 'output' | 'exit';
  /** `unknown`: the agent offers nothing by which it could be seen. */
  state: 'ok' | 'problem' | 'unknown';
  detail: string;
}

export interface CheckEvidence extends Pick<AttemptEvidence, 'requests' | 'events' | 'result'> {
  preset: Preset;
  marks: Marks;
  isAcp: boolean;
}

const TAIL_CHARACTERS = 300;

/** The checks of a preset by an attempt at the small task, in the order in which an agent works. */
export function findings(evidence: CheckEvidence): PresetCheck[] {
  return [starts, model, task, instructions, edits, output, exit].map((find) => find(evidence));
}

function starts({ preset, requests, events, result }: CheckEvidence): PresetCheck {
  const command = programOf(events);
  const { title } = preset;
  if (requests.length > 0 || command?.exit_code === 0)
    return found('starts', 'ok', `${title} runs in the sandbox`);
  if (command === undefined)
    return found('starts', 'problem', `${title} did not start: ${result.error?.message ?? ''}`);
  const how = command.timed_out ? 'did not end in time' : `ended with ${ending(command)}`;
  return found('starts', 'problem', `${title} ${how}, before its first request${printedBy(command)}`);
}

function model({ requests, events }: CheckEvidence): PresetCheck {
  const [first] = requests;
  if (first === undefined)
    return found('model', 'problem', 'no request arrived: url, token and model have to be in its settings');
  const failed = of(events, 'model.call.failed').length;
  const refused = of(events, 'model.call.refused').map(({ reason, path = '' }) => `${reason} ${path}`.trim());
  const detail = `${requests.length} ${requests.length === 1 ? 'request' : 'requests'} in the API ${first.wire}`;
  if (failed > 0) return found('model', 'problem', `${detail}, ${failed} of them failed`);
  return found('model', 'ok', refused.length > 0 ? `${detail}; refused: ${refused.join(', ')}` : detail);
}

function task({ requests, marks }: CheckEvidence): PresetCheck {
  return requests.some((request) => request.contains(marks.task))
    ? found('task', 'ok', 'the task is in its requests')
    : found('task', 'problem', 'the task is in no request: the preset has to contain {{prompt}}');
}

function instructions({ preset, requests, marks }: CheckEvidence): PresetCheck {
  const target = preset.instructions?.file ?? 'its prompt';
  return requests.some((request) => request.contains(marks.instructions))
    ? found('instructions', 'ok', `it reads ${target}`)
    : found('instructions', 'problem', `it does not read ${target}`);
}

function edits({ requests, marks }: CheckEvidence): PresetCheck {
  const tools = requests.flatMap((request) => request.tools.map(({ name }) => name));
  if (tools.length === 0) return found('edits', 'unknown', 'it offers the model no tools');
  const names = [...new Set(tools)].slice(0, 12).join(', ');
  return requests.some((request) => request.contains(marks.file.toUpperCase()))
    ? found('edits', 'ok', `it wrote a file and ran a command; its tools: ${names}`)
    : found('edits', 'problem', `no result of a command came back; its tools: ${names}`);
}

function output({ preset, events, marks, isAcp }: CheckEvidence): PresetCheck {
  const [finalized] = of(events, 'system.output.finalized');
  const text = finalized?.final_output ?? '';
  const source = isAcp ? 'its output by ACP' : `final_output (${preset.final_output.from})`;
  if (text.includes(marks.output)) return found('output', 'ok', `${source} has the last message`);
  const read = text === '' ? 'is empty' : `is ${JSON.stringify(text.slice(0, 100))}`;
  return found('output', 'problem', `${source} ${read}, not the last message`);
}

function exit({ events, result }: CheckEvidence): PresetCheck {
  const command = programOf(events);
  const after = `after ${(result.latency_ms / 1_000).toFixed(1)} s`;
  if (result.outcome === 'completed') return found('exit', 'ok', `it exits with 0 ${after}`);
  const message = result.error?.message ?? result.outcome;
  return found('exit', 'problem', `${message} ${after}${command ? printedBy(command) : ''}`);
}

type Command = EventPayloads['sandbox.command.completed'];

/** The command of the program itself, which is the last. */
function programOf(events: CheckEvidence['events']): Command | undefined {
  return of(events, 'sandbox.command.completed').at(-1);
}

function ending({ exit_code, signal }: Command): string {
  return signal ?? `the exit code ${exit_code}`;
}

/** The end of what it printed about a failure. */
function printedBy({ stderr_tail, stdout_tail }: Command): string {
  const text = (stderr_tail || stdout_tail || '').trim();
  return text === '' ? '' : `: ${text.slice(-TAIL_CHARACTERS)}`;
}

function of<T extends ExecutionEventType>(events: CheckEvidence['events'], type: T): EventPayloads[T][] {
  return events.flatMap((event) => (event.event_type === type ? [event.payload as EventPayloads[T]] : []));
}

function found(key: PresetCheck['key'], state: PresetCheck['state'], detail: string): PresetCheck {
  return { key, state, detail };
}
