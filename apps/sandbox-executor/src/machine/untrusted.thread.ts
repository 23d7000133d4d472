import { parentPort } from 'node:worker_threads';
import { type JsonObject, type JsonSchema, type JsonValue, readJsonSchema } from '@agentclash/challengepack';
import type { PatternTask } from '@agentclash/engine';
import { readServerMessage } from '@agentclash/engine/mcp-message';
import { searchPattern } from '@agentclash/engine/pattern-search';
import { prepareCall, type RawCall, readMcpMessage } from '@agentclash/model-broker';

export interface ArgumentTask {
  /** Of the schema, which is sent only where it is not cached yet. */
  readonly digest: string;
  readonly schema?: JsonObject;
  readonly args: JsonValue;
  readonly opaque: readonly string[];
}

/** A message of a program to its tools. */
export interface MessageTask {
  readonly message: Uint8Array;
}

/** A message of an MCP server. */
export interface ServerMessageTask {
  readonly serverMessage: Uint8Array;
}

export type ArgumentReply =
  | 'schema_unknown'
  | { unchecked: 'invalid_schema' }
  | { ok: true }
  | { ok: false; path: string; message: string };

const SCHEMAS_MAX = 100;

/** Checks arguments, keeping the schemas that were used last. */
class ArgumentChecker {
  /** Least recently used first; null for one that is not valid. */
  private readonly schemas = new Map<string, JsonSchema | null>();

  reply({ digest, schema: given, args, opaque }: ArgumentTask): ArgumentReply {
    const schema = this.schemas.get(digest) ?? (given && this.read(given));
    if (schema === undefined && !this.schemas.has(digest)) return 'schema_unknown';
    this.keep(digest, schema ?? null);
    if (!schema) return { unchecked: 'invalid_schema' };
    const [first] = schema.violations(args, new Set(opaque));
    return first === undefined ? { ok: true } : { ok: false, path: first.path, message: first.message };
  }

  private read(schema: JsonObject): JsonSchema | null {
    const reading = readJsonSchema(schema, { assertsFormats: false });
    return reading.ok ? reading.schema : null;
  }

  private keep(digest: string, schema: JsonSchema | null): void {
    this.schemas.delete(digest);
    this.schemas.set(digest, schema);
    const [oldest] = this.schemas.keys();
    if (this.schemas.size > SCHEMAS_MAX && oldest !== undefined) this.schemas.delete(oldest);
  }
}

// The program of a thread for work that agents and authors cause: one reply to each task. The first message reports
// that it can begin.
const checker = new ArgumentChecker();
type Task = ArgumentTask | PatternTask | RawCall | MessageTask | ServerMessageTask;
parentPort?.on('message', (task: Task) => parentPort?.postMessage(replyTo(task)));

function replyTo(task: Task) {
  if ('pattern' in task) return searchPattern(task);
  if ('message' in task) return readMcpMessage(task.message);
  if ('serverMessage' in task) return readServerMessage(task.serverMessage);
  return 'wire' in task ? prepareCall(task) : checker.reply(task);
}
