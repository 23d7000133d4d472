import { count } from '../terminal/figures.js';
import { numberOf, partOf, type Said, textOf } from './said.js';

/** A step in words: what it was, what it was about, and what there is to read below that. */
export interface Telling {
  title: string;
  /** One line; as much as fits is shown. */
  subject?: string;
  lines?: Line[];
}

/** A text is shown as such, line by line; other values as JSON. Blank texts, null and undefined are left out. */
export type Line = readonly [label: string, value: unknown];

/** Tells a step from its start and end, taken together. */
export type Teller = (said: Said) => Telling;

/** Parts that are there, side by side. */
export function joined(...parts: (string | undefined | false)[]): string {
  return parts.filter((part) => part !== undefined && part !== false && part !== '').join(', ');
}

/** `120 tokens in, 40 out`; nothing where nothing was reported. */
export function usageText(usage: Said): string {
  const input = numberOf(usage, 'input');
  const output = numberOf(usage, 'output');
  const cached = numberOf(usage, 'cached_input');
  const reasoning = numberOf(usage, 'reasoning');
  return joined(
    input !== undefined && `${count(input)} tokens in${cached ? ` (${count(cached)} cached)` : ''}`,
    output !== undefined && `${count(output)} out${reasoning ? ` (${count(reasoning)} reasoning)` : ''}`,
  );
}

/** `code: message`, as far as it is known. */
export function faultText(error: Said): string {
  const path = textOf(error, 'path');
  const code = textOf(error, 'code');
  return [`${code}${path && ` at ${path}`}`, textOf(error, 'message')].filter(Boolean).join(': ');
}

export function errorOf(said: Said): string {
  return faultText(partOf(said, 'error'));
}
