import {
  numberIn,
  type Payload,
  recordOf,
  type StepName,
  type StepPayload,
  textOf,
} from '@agentclash/domain';
import { count } from '../terminal/figures.js';

/** A step in words: what it was, what it was about, and what there is to read below that. */
export interface RenderedStep {
  title: string;
  /** One line; as much as fits is shown. */
  subject?: string;
  lines?: Line[];
}

/** A text is shown as such, line by line; other values as JSON. Blank texts, null and undefined are left out. */
export type Line = readonly [label: string, value: unknown];

/** Renders a step from its start and end, taken together. */
export type StepRenderer<S extends StepName> = (payload: StepPayload<S>) => RenderedStep;

/** Renderers by step: a renderer reads only members that the payloads of its step declare. */
export type StepRenderers = { readonly [S in StepName]?: StepRenderer<S> };

/** Parts that are there, side by side. */
export function joined(...parts: (string | undefined | false)[]): string {
  return parts.filter((part) => part !== undefined && part !== false && part !== '').join(', ');
}

/** `120 tokens in, 40 out`; nothing where nothing was reported. */
export function usageText(usage: Payload): string {
  const input = numberIn(usage, 'input');
  const output = numberIn(usage, 'output');
  const cached = numberIn(usage, 'cached_input');
  const reasoning = numberIn(usage, 'reasoning');
  return joined(
    input !== undefined && `${count(input)} tokens in${cached ? ` (${count(cached)} cached)` : ''}`,
    output !== undefined && `${count(output)} out${reasoning ? ` (${count(reasoning)} reasoning)` : ''}`,
  );
}

/** `code: message`, as far as it is known. */
export function errorText(error: Payload): string {
  const path = textOf(error.path);
  const code = textOf(error.code);
  return [`${code}${path && ` at ${path}`}`, textOf(error.message)].filter(Boolean).join(': ');
}

export function errorOf(payload: { readonly error?: unknown }): string {
  return errorText(recordOf(payload.error));
}
