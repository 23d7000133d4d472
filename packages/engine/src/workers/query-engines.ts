import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import type { JsonObject } from '@agentclash/challengepack';
import { runIsolated, type WorkerScope } from './isolated-worker.js';

const TIMEOUT_MS = 10_000;
const modulePath = createRequire(import.meta.url).resolve('jq-wasm');

export interface JqResult {
  /** One JSON text a line. */
  stdout: string;
  stderr: string;
  exitCode: number;
}

/** Runs a jq program over a JSON text: no files, no modules, an empty environment. Throws as {@link runIsolated}. */
export function runJq(query: string, json: string, signal: AbortSignal): Promise<JqResult> {
  const input = { modulePath, json, program: enclosed(query) };
  return runIsolated(jqMain, input, { timeoutMs: TIMEOUT_MS, signal });
}

/** Shadows both names of the environment for all of the query, which as an operand can neither import nor include. */
function enclosed(query: string): string {
  return `def env: {}; {} as $ENV | (\n${query}\n)`;
}

async function jqMain({
  require,
  input,
}: WorkerScope<{ modulePath: string; json: string; program: string }>) {
  const { loadJq } = require(input.modulePath);
  const jq = await loadJq();
  const { stdout, stderr, exitCode } = jq.raw(input.json, input.program, ['-c']);
  return { stdout, stderr, exitCode };
}

const ROWS_MAX = 10_000;
const moduleUrl = pathToFileURL(createRequire(import.meta.url).resolve('@sqlite.org/sqlite-wasm')).href;

export type SqliteResult = { rows: JsonObject[] } | { error: string };

/**
 * Runs SQL over the bytes of a database, which stays as it is. Integers beyond 2^53 become text, blobs base64. Throws
 * as {@link runIsolated}.
 */
export function runSqlite(query: string, database: Uint8Array, signal: AbortSignal): Promise<SqliteResult> {
  const input = { moduleUrl, query, database, rowsMax: ROWS_MAX };
  return runIsolated(sqliteMain, input, { timeoutMs: TIMEOUT_MS, signal });
}

interface SqliteInput {
  moduleUrl: string;
  query: string;
  database: Uint8Array;
  rowsMax: number;
}

async function sqliteMain({ input }: WorkerScope<SqliteInput>): Promise<SqliteResult> {
  const { default: open } = await import(input.moduleUrl);
  const silent = () => undefined;
  const sqlite = await open({ print: silent, printErr: silent });
  const { capi, wasm, oo1 } = sqlite;
  const db = new oo1.DB(':memory:');
  const { database } = input;
  const at = wasm.allocFromTypedArray(database);
  const flags = capi.SQLITE_DESERIALIZE_FREEONCLOSE | capi.SQLITE_DESERIALIZE_READONLY;
  const rows: JsonObject[] = [];
  const plain = (value: unknown) => {
    if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
    if (typeof value !== 'bigint') return value;
    return Number.isSafeInteger(Number(value)) ? Number(value) : value.toString();
  };
  try {
    db.checkRc(capi.sqlite3_deserialize(db.pointer, 'main', at, database.length, database.length, flags));
    db.exec({
      sql: input.query,
      rowMode: 'object',
      callback: (row: Record<string, unknown>) => {
        if (rows.length === input.rowsMax) throw new Error(`more than ${input.rowsMax} rows`);
        rows.push(
          Object.fromEntries(Object.entries(row).map(([name, value]) => [name, plain(value)])) as JsonObject,
        );
      },
    });
    return { rows };
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    return { error: text.replace(/^SQLITE_\w+: sqlite3 result code \d+: /, '') };
  }
}
