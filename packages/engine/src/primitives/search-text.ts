import { setImmediate } from 'node:timers/promises';
import { RE2JS } from 're2js';
import { z } from 'zod';
import { ToolError } from '../tools/tool-error.js';
import { filesToSearch } from './find-files.js';
import { definePrimitive, type PrimitiveContext } from './primitive.js';
import { baseName, compileGlob, SEARCHED_FILES_MAX } from './search-files.js';

/** Larger files are passed over: they are data, and each byte is matched in the executor. */
const FILE_BYTES_MAX = 4 * 1024 * 1024;
/** Lines matched before others get their turn. */
const LINES_AT_ONCE = 500;

interface Match {
  path: string;
  line_number: number;
  line_text: string;
}

export const searchText = definePrimitive({
  description: 'Find lines that match a regular expression (RE2 syntax) in text files.',
  shape: z.strictObject({
    pattern: z.string().min(1).describe('Regular expression, unanchored.'),
    path: z.string().optional().describe('Directory or file to search; default: the working directory.'),
    include: z.string().min(1).optional().describe('Glob on the file name.'),
    case_sensitive: z.boolean().optional().describe('Default true.'),
    max_results: z.int().min(1).max(2_000).optional().describe('Default 200.'),
  }),
  mainFields: ['matches'],
  run: async ({ pattern, path = '', include, case_sensitive = true, max_results = 200 }, context) => {
    const regex = compilePattern(pattern, case_sensitive);
    const fits = include === undefined ? () => true : compileGlob(include, '/include');
    const files = await filesToSearch(context, path, SEARCHED_FILES_MAX);
    const matches: Match[] = [];
    for (const file of files) {
      if (matches.length >= max_results) break;
      if (!fits(baseName(file.path)) || file.size > FILE_BYTES_MAX) continue;
      for await (const match of matchesIn(file.path, regex, context)) {
        if (matches.push(match) >= max_results) break;
      }
    }
    const asked = { pattern, path, ...(include !== undefined && { include }), case_sensitive, max_results };
    return { ...asked, matches: matches.map((match) => ({ ...match })) };
  },
});

function compilePattern(pattern: string, isCaseSensitive: boolean): RE2JS {
  try {
    return RE2JS.compile(pattern, isCaseSensitive ? 0 : RE2JS.CASE_INSENSITIVE);
  } catch {
    throw new ToolError('arguments', 'the pattern is not RE2 syntax', { path: '/pattern' });
  }
}

async function* matchesIn(path: string, regex: RE2JS, context: PrimitiveContext): AsyncGenerator<Match> {
  const lines = await linesOf(path, context);
  for (const [index, line_text] of lines.entries()) {
    if (index % LINES_AT_ONCE === 0) {
      await setImmediate();
      context.signal.throwIfAborted();
    }
    if (regex.matcher(line_text).find()) yield { path, line_number: index + 1, line_text };
  }
}

/** Nothing for a file that vanished, cannot be read, or holds a NUL and so is no text. */
async function linesOf(path: string, { sandbox, filesystem }: PrimitiveContext): Promise<string[]> {
  try {
    const { data } = await sandbox.scanFile(path, {
      roots: filesystem.readable_roots,
      bytesMax: FILE_BYTES_MAX,
    });
    if (data.includes(0)) return [];
    const lines = data.toString().split(/\r?\n/);
    if (lines.at(-1) === '') lines.pop();
    return lines;
  } catch (error) {
    if (error instanceof ToolError) return [];
    throw error;
  }
}
