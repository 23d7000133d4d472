import type { RowProblem } from '@agentclash/challengepack';
import {
  ExactNumber,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  readJson,
} from '@agentclash/challengepack';
import { repeatedKey } from '@agentclash/domain';
import { INEXACT } from './row.js';

export type ValueReading = { values: JsonObject } | { problem: Omit<RowProblem, 'row'> };

/** Reads one JSON object. */
export function readObject(bytes: Uint8Array): ValueReading {
  const text = decode(bytes);
  if (text === undefined) return refused('is not UTF-8: save the file as UTF-8');
  const reading = readJson(text);
  if (!reading.ok) return refused(`is not JSON: ${reasonOf(text)}`);
  if (!isJsonObject(reading.value)) return refused(`is ${kindOf(reading.value)}, and a row is an object`);
  const repeated = repeatedKey(text);
  if (repeated !== undefined) return refused('is there twice in one object', repeated.key);
  return checkNumbers(reading.value);
}

/** Numbers that no double holds as they are written would be altered. */
function checkNumbers(values: object): ValueReading {
  for (const [column, value] of Object.entries(values)) {
    if (holdsInexact(value)) return refused(INEXACT, column);
  }
  return { values: values as JsonObject };
}

function holdsInexact(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return value instanceof ExactNumber || Object.values(value as Record<string, JsonValue>).some(holdsInexact);
}

function refused(message: string, column?: string): ValueReading {
  return { problem: { message, ...(column !== undefined && { column }) } };
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function decode(bytes: Uint8Array): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}

const REASON_MAX = 200;

/** The reason of the parser, which shows a part of the text: control characters are escaped, and it is cut. */
function reasonOf(text: string): string {
  if (text.trim() === '') return 'there is no value';
  try {
    JSON.parse(text);
    return 'it is nested too deeply';
  } catch (error) {
    const message = error instanceof Error ? error.message : '';
    return JSON.stringify(message.slice(0, REASON_MAX)).slice(1, -1).replaceAll('\\"', '"');
  }
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'string' ? 'text' : `a ${value instanceof ExactNumber ? 'number' : typeof value}`;
}
