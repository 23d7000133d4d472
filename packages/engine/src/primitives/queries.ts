import type { JsonObject, JsonValue } from '@agentclash/challengepack';
import { z } from 'zod';
import { ToolError } from '../outcome/tool-error.js';
import { WorkerFailed, WorkerTimeout } from '../workers/isolated-worker.js';
import { runJq, runSqlite } from '../workers/query-engines.js';
import { definePrimitive, type PrimitiveContext } from './primitive.js';

const JSON_BYTES_MAX = 16 * 1024 * 1024;
const VALUES_MAX = 10_000;

export const queryJson = definePrimitive({
  description: 'Query JSON with a jq program. One value is given as it is, several as a list, none as null.',
  shape: z.strictObject({
    query: z.string().min(1).describe('A jq program.'),
    file_path: z.string().optional().describe('File to read; give this or json.'),
    json: z.unknown().optional().describe('A JSON text or value; give this or file_path.'),
    output_path: z.string().optional().describe('Write the result to this file.'),
  }),
  mainFields: ['result'],
  run: async ({ query, file_path, json, output_path }, context): Promise<JsonObject> => {
    const text = await inputText(file_path, json, context);
    const { stdout, stderr, exitCode } = await runQuery(() => runJq(query, text, context.signal), context);
    if (exitCode !== 0) throw new ToolError('query_failed', sentence(stderr));
    const result = resultOf(stdout);
    if (output_path === undefined) return { query, result };
    const roots = context.filesystem.writable_roots;
    const { bytes } = await context.sandbox.writeFile(output_path, JSON.stringify(result), { roots });
    return { query, output_path, written: true, total_bytes: bytes };
  },
});

async function inputText(
  path: string | undefined,
  json: unknown,
  { sandbox, filesystem }: PrimitiveContext,
): Promise<string> {
  if ((path === undefined) === (json === undefined)) {
    throw new ToolError('arguments', 'give exactly one of file_path and json', {
      origin: 'arguments',
      path: '',
    });
  }
  if (path === undefined) return typeof json === 'string' ? json : JSON.stringify(json);
  const { data } = await sandbox.readFile(path, {
    roots: filesystem.readable_roots,
    bytesMax: JSON_BYTES_MAX,
  });
  return data.toString();
}

function resultOf(stdout: string): JsonValue {
  const lines = stdout.split('\n').filter((line) => line !== '');
  if (lines.length > VALUES_MAX) throw new ToolError('too_many_rows', `more than ${VALUES_MAX} values`);
  const values = lines.map((line): JsonValue => JSON.parse(line));
  return values.length > 1 ? values : (values[0] ?? null);
}

/** The first line of jq's error output, without the program around the query. */
function sentence(stderr: string): string {
  const [line = ''] = stderr.split('\n');
  return line.slice(0, 500) || 'the query failed';
}

/** Runs a query in its turn. One that takes too long or too much memory is the agent's to rewrite. */
async function runQuery<T>(
  query: () => Promise<T>,
  {
    queryLimiter: queryTurns,
    signal,
    exclude,
  }: Pick<PrimitiveContext, 'queryLimiter' | 'signal' | 'exclude'>,
): Promise<T> {
  try {
    return await queryTurns.run(query, { signal, exclude });
  } catch (error) {
    if (error instanceof WorkerTimeout)
      throw new ToolError('timeout', 'the query took longer than 10 seconds');
    if (error instanceof WorkerFailed)
      throw new ToolError('query_failed', 'the query exceeded its memory limit');
    throw error;
  }
}

const DATABASE_BYTES_MAX = 64 * 1024 * 1024;

export const querySql = definePrimitive({
  description: 'Query a SQLite database file. The file itself is never changed.',
  shape: z.strictObject({
    engine: z.literal('sqlite'),
    query: z.string().min(1).describe('SQL; at most 10,000 rows come back.'),
    database_path: z.string(),
    output_path: z.string().optional().describe('Write the rows to this file as JSON.'),
  }),
  mainFields: ['rows'],
  run: async ({ engine, query, database_path, output_path }, context): Promise<JsonObject> => {
    const { sandbox, filesystem, signal } = context;
    const { readable_roots: roots, writable_roots } = filesystem;
    const { data } = await sandbox.readFile(database_path, { roots, bytesMax: DATABASE_BYTES_MAX });
    const result = await runQuery(() => runSqlite(query, data, signal), context);
    if ('error' in result) throw new ToolError('query_failed', result.error.slice(0, 500));
    if (output_path === undefined) return { engine, query, rows: result.rows };
    const { bytes } = await sandbox.writeFile(output_path, JSON.stringify(result.rows), {
      roots: writable_roots,
    });
    return { engine, query, output_path, written: true, total_bytes: bytes };
  },
});
