import { SandboxError } from '../sandbox-error.js';
import { FRAME_PAYLOAD_MAX } from './wire.js';

const VERBS = {
  exec: 1,
  read: 2,
  write: 3,
  list: 4,
  stat: 5,
  remove: 6,
  snapshot: 7,
  restore: 8,
} as const;
export type Verb = keyof typeof VERBS;

export const REQUEST_FLAG = { stdin: 1, makeParents: 2, recursive: 4, changes: 8 } as const;

/**
 * One task for the process inside. Numbers by verb: read offset, length, largest result; write size, mode; list
 * entries, kinds; snapshot bytes.
 */
export interface TaskRequest {
  verb: Verb;
  flags?: number;
  timeoutMs?: number;
  /** Output that may be under way unacknowledged; 0 for no limit. */
  windowBytes?: number;
  outputBytesMax?: number;
  numbers?: readonly number[];
  /** Absolute; where a relative path starts, and for `exec` the path to start in. */
  cwd: string;
  roots: readonly string[];
  /** argv, or the one path of a file verb. */
  args?: readonly string[];
  /** Environment, or names to skip. */
  extra?: readonly string[];
}

const HEADER_BYTES = 48;
const NO_LIMIT = 2n ** 64n - 1n;

/** Throws `invalid_argument` for a NUL in a string, `too_large` when the whole exceeds a frame. */
export function encodeTaskRequest(request: TaskRequest): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt32LE(VERBS[request.verb], 0);
  header.writeUInt32LE(request.flags ?? 0, 4);
  header.writeUInt32LE(Math.min(Math.ceil(request.timeoutMs ?? 0), 0xffff_ffff), 8);
  header.writeUInt32LE(request.windowBytes ?? 0, 12);
  header.writeBigUInt64LE(asUnsigned(request.outputBytesMax), 16);
  for (let i = 0; i < 3; i++) header.writeBigUInt64LE(asUnsigned(request.numbers?.[i] ?? 0), 24 + 8 * i);
  const lists = [[request.cwd], request.roots, request.args ?? [], request.extra ?? []];
  const payload = Buffer.concat([header, ...lists.flatMap(encodeStrings)]);
  if (payload.length > FRAME_PAYLOAD_MAX) {
    throw new SandboxError('too_large', 'arguments and environment are too large');
  }
  return payload;
}

function asUnsigned(value: number | undefined): bigint {
  return value === undefined || value === Number.POSITIVE_INFINITY
    ? NO_LIMIT
    : BigInt(Math.max(0, Math.floor(value)));
}

function encodeStrings(strings: readonly string[]): Buffer[] {
  return [lengthOf(strings.length), ...strings.flatMap(encodeString)];
}

function encodeString(text: string): Buffer[] {
  if (text.includes('\0')) throw new SandboxError('invalid_argument', 'a string contains NUL');
  const bytes = Buffer.from(`${text}\0`);
  return [lengthOf(bytes.length - 1), bytes];
}

function lengthOf(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
