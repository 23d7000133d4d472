import type { JsonObject } from '@agentclash/domain';

/** An event of a stream, without a name. */
export function data(value: JsonObject): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}

/** An event of a stream, named by its type. */
export function event(value: JsonObject & { type: string }): string {
  return `event: ${value.type}\n${data(value)}`;
}
