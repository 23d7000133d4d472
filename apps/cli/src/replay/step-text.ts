import type { ReplayStep } from '@agentclash/api';
import { duration } from '../terminal/figures.js';
import type { Paint } from '../terminal/output.js';
import { oneLine, printable } from '../terminal/printable.js';

export interface StepTextOptions {
  paint: Paint;
  /** Cuts long texts; absent, nothing is cut. */
  charactersMax?: number | undefined;
}

const MARKS = { open: '…', completed: '✓', failed: '✗', noted: '·' } as const;
/** Members that hold text to be read as such, in the order in which they are told. */
const TEXTS = ['message', 'text', 'final_output', 'stdout_tail', 'stderr_tail', 'content'] as const;

/** One step of a replay: a headline with its number, then what went in and what came out. */
export function stepText(step: ReplayStep, options: StepTextOptions): string {
  const { paint } = options;
  const { number, type, status, duration_ms: took, source, sequence_numbers: sequences } = step;
  const color = status === 'failed' ? paint.red : status === 'completed' ? paint.green : paint.dim;
  const agentStep = step.step_index === null ? '' : `step ${step.step_index}`;
  const headline = [
    paint.dim(String(number).padStart(4)),
    color(MARKS[status]),
    paint.bold(type),
    subject(step),
    took === null ? '' : paint.dim(duration(took)),
    paint.dim([agentStep, source, eventsText(sequences)].filter(Boolean).join(', ')),
  ];
  const lines = [...told('in', step.input, options), ...told('out', newsIn(step), options)];
  return [headline.filter(Boolean).join('  '), ...lines].join('\n');
}

/** What the result says beyond the input and the headline. */
function newsIn({ input, result }: ReplayStep): ReplayStep['result'] {
  if (result === null) return null;
  const news = Object.entries(result).filter(
    ([name, value]) => name !== 'duration_ms' && JSON.stringify(input?.[name]) !== JSON.stringify(value),
  );
  return Object.fromEntries(news);
}

/** What the step is about, where one word says it. */
function subject({ input, result }: ReplayStep): string {
  const named = { ...result, ...input };
  const { tool_name: tool, path, to, model, validator_key: validator, outcome } = named;
  const word = tool ?? path ?? to ?? model ?? validator ?? outcome;
  return typeof word === 'string' ? oneLine(word, 80) : '';
}

function eventsText(sequences: readonly number[]): string {
  const first = sequences[0];
  const last = sequences.at(-1);
  if (first === undefined) return '';
  return first === last ? `event ${first}` : `events ${first}-${last}`;
}

function told(
  side: string,
  value: Readonly<Record<string, unknown>> | null,
  options: StepTextOptions,
): string[] {
  if (value === null) return [];
  const texts = TEXTS.flatMap((name) => {
    const text = value[name];
    return typeof text === 'string' && text !== '' ? [[name, text] as const] : [];
  });
  const rest = Object.fromEntries(
    Object.entries(value).filter(
      ([name, member]) => member !== null && member !== '' && !texts.some(([text]) => text === name),
    ),
  );
  const { paint } = options;
  const facts =
    Object.keys(rest).length === 0
      ? []
      : [`${paint.dim(side.padStart(8))}  ${cut(JSON.stringify(rest), options)}`];
  return [...facts, ...texts.flatMap(([name, text]) => textBlock(name, text, options))];
}

function textBlock(name: string, text: string, options: StepTextOptions): string[] {
  const [first = '', ...others] = cut(text.trimEnd(), options).split('\n');
  const indent = ' '.repeat(10);
  return [`${options.paint.dim(`${indent}${name}: `)}${first}`, ...others.map((line) => `${indent}${line}`)];
}

function cut(text: string, { charactersMax, paint }: StepTextOptions): string {
  if (charactersMax === undefined || text.length <= charactersMax) return printable(text);
  const left = text.length - charactersMax;
  return `${printable(text.slice(0, charactersMax))}${paint.dim(`… ${left} more characters`)}`;
}
