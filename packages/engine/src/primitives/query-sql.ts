import type { JsonObject } from '@agentclash/challengepack';
import { z } from 'zod';
import { ToolError } from '../tools/tool-error.js';
import { runSqlite } from '../workers/sqlite.js';
import { definePrimitive } from './primitive.js';
import { runQuery } from './worker-query.js';

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
    const answer = await runQuery(() => runSqlite(query, data, signal), context);
    if ('fault' in answer) throw new ToolError('query_failed', answer.fault.slice(0, 500));
    if (output_path === undefined) return { engine, query, rows: answer.rows };
    const { bytes } = await sandbox.writeFile(output_path, JSON.stringify(answer.rows), {
      roots: writable_roots,
    });
    return { engine, query, output_path, written: true, total_bytes: bytes };
  },
});
