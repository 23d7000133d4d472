import type { ReplayStep } from '@agentclash/api';
import {
  type Activity,
  type EventSource,
  failedCallText,
  listedServerText,
  numberIn,
  type Payload,
  recordOf,
  recordsIn,
  refusedCallText,
  restrictedCallText,
  textOf,
} from '@agentclash/domain';
import { formatBytes, formatCount } from '../../design/format.js';

export const KINDS = [
  'all',
  'model',
  'tools',
  'files',
  'network',
  'conversation',
  'grading',
  'problems',
] as const;
const PROGRAM = 'program_agent' satisfies EventSource;
export type Kind = (typeof KINDS)[number];

const OF_KIND: Record<Kind, (step: ReplayStep) => boolean> = {
  all: () => true,
  model: ({ type }) => type.startsWith('model.'),
  tools: (step) =>
    step.type.startsWith('tool.') || step.type.startsWith('sandbox.command') || isToolUse(step),
  files: ({ type }) =>
    type.startsWith('sandbox.file') || /^grader\.verification\.(file|directory)/.test(type),
  network: ({ type }) => type.startsWith('network.'),
  conversation: ({ type }) => type.startsWith('turn.') || type.startsWith('conversation'),
  grading: ({ type }) => type.startsWith('grader.') || type.startsWith('scoring.'),
  problems: (step) => isProblem(step),
};

/** The steps of a kind whose words hold the text, in any case of letters. */
export function choose(steps: readonly ReplayStep[], kind: Kind, text: string): ReplayStep[] {
  const wanted = text.trim().toLowerCase();
  const isKind = OF_KIND[kind];
  return steps.filter((step) => isKind(step) && (wanted === '' || wordsOf(step).includes(wanted)));
}

/** A program executes its tools by itself: they have no steps of their own. */
function isToolUse({ type, source, result }: ReplayStep): boolean {
  return type === 'model.call' && source === PROGRAM && recordsIn(recordOf(result), 'tool_calls').length > 0;
}

function wordsOf({ type, input, result }: ReplayStep): string {
  return `${type} ${JSON.stringify(input)} ${JSON.stringify(result)}`.toLowerCase();
}

const WHOLE = 'system.run' satisfies Activity;
const PROBLEMS: ReadonlySet<string> = new Set([
  'model.call.refused',
  'model.call.restricted',
  'network.request.blocked',
  'policy.violation',
]);

export function isProblem({ type, status }: ReplayStep): boolean {
  return status === 'failed' || PROBLEMS.has(type);
}

/** The first step with a problem; the step around all others only where no other has one. */
export function firstProblem(steps: readonly ReplayStep[]): ReplayStep | undefined {
  const problems = steps.filter(isProblem);
  return problems.find(({ type }) => type !== WHOLE) ?? problems[0];
}

/** A short summary of a step. */
export function stepTopic({ type, input, result }: ReplayStep): string {
  const payload = { ...recordOf(result), ...recordOf(input) };
  const sentence = SENTENCES[type]?.(payload);
  if (sentence !== undefined) return sentence;
  const error = textOf(recordOf(recordOf(result).error).message);
  if (error !== '') return `${textOf(payload.tool_name)} ${error}`.trim();
  if (type === 'tool.call' && payload.arguments !== undefined)
    return `${textOf(payload.tool_name)} ${JSON.stringify(payload.arguments)}`;
  if (type === 'network.request.completed' || type === 'network.request.blocked')
    return requestTopic(payload);
  if (type === 'system.run') return runTopic(payload);
  if (type === 'scoring.metric.recorded')
    return `${textOf(payload.key)} ${payload.value ?? textOf(payload.state)}`;
  if (type === 'scoring' && 'passed' in payload) return scoreTopic(payload);
  const { argv, tool_name, text, message, path, final_output, to, model, command } = payload;
  if (Array.isArray(argv)) return argv.join(' ');
  const topic = [tool_name, text, message, final_output, path, to, command, model].map(textOf).find(Boolean);
  return topic ?? '';
}

/** Topics that are a sentence; undefined where none applies. */
const SENTENCES: Readonly<Record<string, (payload: Payload) => string | undefined>> = {
  'model.call.refused': refusedCallText,
  'model.call.restricted': restrictedCallText,
  'tool.server.listed': listedServerText,
  'sandbox.image.progressed': ({ phase, image, percent, line }) =>
    [textOf(phase), textOf(image), percent === undefined ? '' : `${textOf(percent)} %`, textOf(line)]
      .filter(Boolean)
      .join(' '),
  'sandbox.created': ({ provider, image }) => [textOf(provider), textOf(image)].filter(Boolean).join(', '),
  'sandbox.destroyed': ({ reason }) => textOf(reason),
  'model.call': (payload) => (payload.class === undefined ? undefined : failedCallText(payload)),
};

/** A request with its response, or with the reason why it was blocked. */
function requestTopic(payload: Payload): string {
  const { method, scheme, host, reason } = payload;
  const [status, bytes, count] = ['status', 'bytes', 'count'].map((name) => numberIn(payload, name));
  return [
    `${textOf(method)} ${textOf(scheme)}://${textOf(host)}`,
    textOf(reason),
    status !== undefined && `status ${status}`,
    status !== undefined && bytes !== undefined && formatBytes(bytes),
    count !== undefined && `${formatCount(count)} requests`,
  ]
    .filter(Boolean)
    .join(', ');
}

/** The agent of the run and its end. */
function runTopic(payload: Payload): string {
  const { kind, mode, model, outcome, limit_kind } = payload;
  const error = textOf(recordOf(payload.error).message);
  const agent = [textOf(kind), textOf(mode) && `in ${textOf(mode)}`].filter(Boolean).join(' ');
  const end = [textOf(outcome), textOf(limit_kind) && `(${textOf(limit_kind)})`].filter(Boolean).join(' ');
  return [agent, textOf(model), end.replaceAll('_', ' '), error].filter(Boolean).join(', ');
}

function scoreTopic({ passed, overall, validity }: Readonly<Record<string, unknown>>): string {
  const verdict = passed === null ? 'no verdict' : passed === true ? 'passed' : 'failed';
  return `${verdict}, overall ${overall ?? '–'}, ${textOf(validity)}`;
}

interface Loaded {
  /** Lines that are shown, of the steps that are loaded. */
  shown: number;
  loaded: number;
  /** True when no step is missing any more. */
  isAll: boolean;
}

/** How much of a replay a search has covered while the rest is loaded. */
export function loadedText({ shown, loaded, isAll }: Loaded): string {
  const part = shown === loaded ? formatCount(loaded) : `${formatCount(shown)} of ${formatCount(loaded)}`;
  return `${part} ${loaded === 1 ? 'step' : 'steps'}${isAll ? '' : ' so far; loading more …'}`;
}

/** One line of two replays side by side. */
export interface Pair {
  left: ReplayStep | null;
  right: ReplayStep | null;
}

/** Aligns two replays: events of the same step index are in the same rows. */
export function align(left: readonly ReplayStep[], right: readonly ReplayStep[]): Pair[] {
  const [lefts, rights] = [byStep(left), byStep(right)];
  const indexes = [...new Set([...lefts.keys(), ...rights.keys()])].sort((a, b) => a - b);
  return indexes.flatMap((index) => {
    const [a, b] = [lefts.get(index) ?? [], rights.get(index) ?? []];
    return Array.from({ length: Math.max(a.length, b.length) }, (_, at) => ({
      left: a[at] ?? null,
      right: b[at] ?? null,
    }));
  });
}

/** An event without a step index belongs to the step before it. */
function byStep(steps: readonly ReplayStep[]): Map<number, ReplayStep[]> {
  const groups = new Map<number, ReplayStep[]>();
  let current = 0;
  for (const step of steps) {
    // A step may be counted from the end of one that came late.
    current = Math.max(current, step.step_index ?? current);
    const group = groups.get(current);
    if (group === undefined) groups.set(current, [step]);
    else group.push(step);
  }
  return groups;
}
