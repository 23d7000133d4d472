import type { ReplayStep } from '@agentclash/api';
import { numberIn, type Payload } from '@agentclash/domain';
import { bytes, duration } from '../terminal/figures.js';
import type { Paint } from '../terminal/output.js';
import { oneLine, printable } from '../terminal/printable.js';
import { AGENT_STEPS } from './agent-steps.js';
import { CONVERSATION_STEPS } from './conversation-steps.js';
import { ENVIRONMENT_STEPS } from './environment-steps.js';
import type { Line, RenderedStep } from './rendered-step.js';

export interface StepTextOptions {
  paint: Paint;
  /** Cuts long texts; absent, nothing is cut. */
  charactersMax?: number | undefined;
}

const MARKS = { open: '…', completed: '✓', failed: '✗', noted: '·' } as const;
const INDENT = ' '.repeat(9);
const SUBJECT_MAX = 160;

/** One step of a replay: a headline with its number, then what there is to read, label by label. */
export function stepText(step: ReplayStep, options: StepTextOptions): string {
  const { paint } = options;
  const { number, type, status, duration_ms: took } = step;
  const { title, subject = '', lines = [] } = renderStep(type, { ...step.input, ...step.result });
  const color = { open: paint.yellow, completed: paint.green, failed: paint.red, noted: paint.dim }[status];
  const headline = [
    paint.dim(String(number).padStart(5)),
    `${color(MARKS[status])} ${paint.bold(oneLine(title))}`,
    oneLine(subject, options.charactersMax === undefined ? undefined : SUBJECT_MAX),
    took === null || took < 1 ? '' : paint.dim(duration(took)),
    paint.dim(eventsText(step.sequence_numbers)),
  ];
  return [headline.filter(Boolean).join('  '), ...lines.flatMap((line) => block(line, options))].join('\n');
}

function eventsText(sequences: readonly number[]): string {
  const first = sequences[0];
  const last = sequences.at(-1);
  if (first === undefined) return '';
  return first === last ? `#${first}` : `#${first}-${last}`;
}

/** A text of one line is beside its label, a longer one below it. */
function block([label, value]: Line, options: StepTextOptions): string[] {
  const text = shown(value).trimEnd();
  if (text === '') return [];
  const [first = '', ...others] = cut(text, options).split('\n');
  const name = options.paint.dim(oneLine(label, 40));
  if (others.length === 0) return [`${INDENT}${name}  ${first}`];
  return [`${INDENT}${name}`, ...[first, ...others].map((line) => `${INDENT}  ${line}`)];
}

function shown(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function cut(text: string, { charactersMax, paint }: StepTextOptions): string {
  if (charactersMax === undefined || text.length <= charactersMax) return printable(text);
  const kept = text.slice(0, charactersMax).replace(/[\ud800-\udbff]$/, '');
  return `${printable(kept)}${paint.dim(`… ${text.length - kept.length} more characters (--full)`)}`;
}

const STEP_RENDERERS: Readonly<Record<string, (payload: Payload) => RenderedStep>> = {
  ...AGENT_STEPS,
  ...ENVIRONMENT_STEPS,
  ...CONVERSATION_STEPS,
};

/** Renders a step by its type; an end without its start as the whole, and an unknown type member by member. */
function renderStep(type: string, payload: Payload): RenderedStep {
  const rendered = renderedStep(type, payload);
  if (typeof payload.$ref !== 'string') return rendered;
  const size = bytes(numberIn(payload, 'bytes') ?? 0);
  return { ...rendered, lines: [['kept apart', `${size}, too large to be shown: ${payload.$ref}`]] };
}

function renderedStep(type: string, payload: Payload): RenderedStep {
  const base = type.replace(/\.(started|completed|failed)$/, '');
  const name = [type, base].find((each) => Object.hasOwn(STEP_RENDERERS, each));
  const renderer = name === undefined ? undefined : STEP_RENDERERS[name];
  return renderer?.(payload) ?? { title: type.replaceAll('.', ' '), lines: Object.entries(payload) };
}

/** The types that have words of their own. */
export const RENDERED_TYPES: readonly string[] = Object.keys(STEP_RENDERERS);
