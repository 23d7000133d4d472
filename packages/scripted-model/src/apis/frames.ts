import type { Payload } from '@agentclash/domain';

/** An event of a stream, without a name. */
export function data(value: Payload): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}

/** An event of a stream, named by its type. */
export function event(value: Payload & { type: string }): string {
  return `event: ${value.type}\n${data(value)}`;
}

/** Two parts, as providers send a text in several. */
export function parts(text: string): string[] {
  const middle = Math.ceil(text.length / 2);
  return [text.slice(0, middle), text.slice(middle)].filter((part) => part !== '');
}
