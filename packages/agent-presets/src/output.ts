import { isRecord, type Payload } from '@agentclash/domain';
import type { TextSource } from './schema.js';

type LineSource = Extract<TextSource, { path: string[] }>;

/**
 * The text that a program's standard output holds for a source. Lines that are not JSON objects are left out; undefined
 * when no line matches.
 */
export function textOfLines(stdout: string, source: LineSource): string | undefined {
  const texts: string[] = [];
  for (const line of stdout.split('\n')) {
    const value = parsed(line);
    if (value === undefined || !matches(value, source.where)) continue;
    const text = textAt(value, source.path);
    if (text !== undefined) texts.push(text);
  }
  return source.from === 'last_json_line' ? texts.at(-1) : texts.length === 0 ? undefined : texts.join('');
}

function parsed(line: string): Payload | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    const value: unknown = JSON.parse(line);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function matches(value: Payload, where: Readonly<Record<string, string>>): boolean {
  return Object.entries(where).every(([path, wanted]) => valueAt(value, path.split('.')) === wanted);
}

function textAt(value: Payload, path: readonly string[]): string | undefined {
  const found = valueAt(value, path);
  if (typeof found === 'string') return found;
  if (!Array.isArray(found)) return undefined;
  return found.map((part) => (isRecord(part) && typeof part.text === 'string' ? part.text : '')).join('');
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (at, key) => (isRecord(at) && Object.hasOwn(at, key) ? at[key] : undefined),
    value,
  );
}
