import { isRecord, listOf, type Payload, textIn } from '@agentclash/domain';
import type { Restricted, Restriction } from './wire.js';

/** Collects what is removed from one request body, and the first part that the request is refused for. */
export class BodyRestriction {
  readonly #removed: Restriction[] = [];
  #refused: Restriction | undefined;

  refuse(path: string, feature: string): void {
    this.#refused ??= { path, feature };
  }

  remove(path: string, feature: string): void {
    this.#removed.push({ path, feature });
  }

  /** A copy without these fields; a null or false one is left out silently. */
  without(body: Payload, fields: readonly string[], featureOf = (field: string) => field): Payload {
    const removed = fields.filter((field) => Object.hasOwn(body, field));
    for (const field of removed) {
      if (body[field] !== null && body[field] !== false) this.remove(field, featureOf(field));
    }
    return omit(body, removed);
  }

  /** Refuses the request when one of these fields has a value. */
  refuseFields(body: Payload, fields: readonly string[], at = ''): void {
    for (const field of fields) {
      if (body[field] !== undefined && body[field] !== null) this.refuse(`${at}${field}`, field);
    }
  }

  /** The tools that are client functions; `featureOf` names the feature of one that is not. */
  clientTools(
    tools: unknown,
    path: string,
    featureOf: (tool: Payload, path: string) => string | undefined,
  ): Payload[] {
    return listOf(tools).flatMap((tool, index) => {
      const at = `${path}[${index}]`;
      const feature = isRecord(tool) ? featureOf(tool, at) : 'tool that is no object';
      if (feature === undefined && isRecord(tool)) return [tool];
      this.remove(at, feature ?? '');
      return [];
    });
  }

  end(body: Payload): Restricted {
    return this.#refused ? { refused: this.#refused } : { body, removed: this.#removed };
  }
}

export function omit(body: Payload, fields: readonly string[]): Payload {
  return Object.fromEntries(Object.entries(body).filter(([field]) => !fields.includes(field)));
}

/** The body with these tools, without `tools` and `tool_choice` where none is left. */
export function withTools(body: Payload, tools: readonly Payload[]): Payload {
  if (body.tools === undefined) return body;
  return tools.length > 0 ? { ...body, tools } : omit(body, ['tools', 'tool_choice', 'parallel_tool_calls']);
}

/** Calls `visit` with every object among these content parts, and with its path. */
export function eachPart(content: unknown, path: string, visit: (part: Payload, path: string) => void): void {
  for (const [index, part] of listOf(content).entries()) {
    if (isRecord(part)) visit(part, `${path}[${index}]`);
  }
}

const INLINE_DATA = /^data:/i;

/** The path of a member that names data elsewhere (`image_url`, `file_id`, …), of an OpenAI-like content part. */
export function remoteMember(part: Payload): string | undefined {
  for (const [name, value] of Object.entries(part)) {
    if (isRecord(value)) {
      if (name.endsWith('_url') && !INLINE_DATA.test(textIn(value, 'url') ?? '')) return `${name}.url`;
      const inner = remoteMember(value);
      if (inner !== undefined) return `${name}.${inner}`;
    }
    if (value === null || value === undefined) continue;
    if (name === 'file_id') return name;
    if (typeof value !== 'string') continue;
    if (name.endsWith('_url') && !INLINE_DATA.test(value)) return name;
    if (name === 'file_data' && /^[a-z][a-z0-9+.-]*:/i.test(value) && !INLINE_DATA.test(value)) return name;
  }
  return undefined;
}
