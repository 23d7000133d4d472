import { RE2JS } from 're2js';
import { z } from 'zod';
import { ToolError } from '../outcome/tool-error.js';
import type { PatternTask } from '../workers/bounded-work.js';
import { filesToSearch } from './files.js';
import { definePrimitive, type PrimitiveContext } from './primitive.js';

/** Larger files are passed over: they are data. */
const FILE_BYTES_MAX = 4 * 1024 * 1024;
/** Characters of one search, and the overhead of each line. */
const BATCH_LENGTH_MAX = 1024 * 1024;
const LINE_OVERHEAD = 16;

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
    const fits = include === undefined ? () => true : compileGlob(include, '/include');
    const search = { pattern, isCaseSensitive: case_sensitive };
    await matching(search, [''], { max: 0, context });
    const files = await filesToSearch(context, path, SEARCHED_FILES_MAX);
    const matches: Match[] = [];
    const batch: Match[] = [];
    let bytes = 0;
    const searchBatch = async () => {
      const texts = batch.map(({ line_text }) => line_text);
      const found = await matching(search, texts, { max: max_results - matches.length, context });
      matches.push(...found.flatMap((index) => batch[index] ?? []));
      batch.length = 0;
      bytes = 0;
    };
    for (const file of files) {
      if (matches.length >= max_results) break;
      if (!fits(baseName(file.path)) || file.size > FILE_BYTES_MAX) continue;
      for (const [index, line_text] of (await linesOf(file.path, context)).entries()) {
        batch.push({ path: file.path, line_number: index + 1, line_text });
        bytes += line_text.length + LINE_OVERHEAD;
        if (bytes >= BATCH_LENGTH_MAX) await searchBatch();
        if (matches.length >= max_results) break;
      }
    }
    if (matches.length < max_results && batch.length > 0) await searchBatch();
    const query = { pattern, path, ...(include !== undefined && { include }), case_sensitive, max_results };
    return { ...query, matches: matches.map((match) => ({ ...match })) };
  },
});

/** Indexes of the matching texts, searched off the shared thread. */
async function matching(
  search: Pick<PatternTask, 'pattern' | 'isCaseSensitive'>,
  texts: readonly string[],
  { max, context }: { max: number; context: PrimitiveContext },
): Promise<readonly number[]> {
  const { patternSearches, signal, exclude } = context;
  const reply = await patternSearches.search({ ...search, texts, max }, { signal, exclude });
  if (reply === 'invalid')
    throw new ToolError('arguments', 'the pattern is not RE2 syntax', { path: '/pattern' });
  if (reply === 'limit')
    throw new ToolError('timeout', 'the search exceeded its limits: use a simpler pattern or fewer files');
  return reply;
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

/** True when a name fits a shell glob: `*`, `?`, `[…]` and `[!…]`, `\` takes the next character literally. */
export function globMatcher(glob: string): (name: string) => boolean {
  const pattern = RE2JS.compile(`^(?s:${patternOf(glob)})$`);
  return (name) => pattern.matcher(name).find();
}

function patternOf(glob: string): string {
  let pattern = '';
  for (let at = 0; at < glob.length; ) {
    const set = /^\[(!?)(\]?[^\]]*)\]/.exec(glob.slice(at));
    if (set) {
      pattern += `[${set[1] ? '^' : ''}${(set[2] ?? '').replace(/[\\[\]^]/g, '\\$&')}]`;
      at += set[0].length;
      continue;
    }
    const escaped = glob[at] === '\\' && at + 1 < glob.length;
    const character = String.fromCodePoint(glob.codePointAt(escaped ? at + 1 : at) ?? 0);
    pattern += escaped ? RE2JS.quote(character) : (WILDCARDS[character] ?? RE2JS.quote(character));
    at += (escaped ? 1 : 0) + character.length;
  }
  return pattern;
}

const WILDCARDS: Record<string, string> = { '*': '.*', '?': '.' };

/** Files looked at in one search. */
const SEARCHED_FILES_MAX = 50_000;

export const searchFiles = definePrimitive({
  description: 'Find files whose name fits a glob such as *.ts, at any depth.',
  shape: z.strictObject({
    pattern: z.string().min(1).describe('Glob on the file name, without directories.'),
    path: z.string().optional().describe('Directory to search; default: the working directory.'),
    max_results: z.int().min(1).max(1_000).optional().describe('Default 100.'),
  }),
  mainFields: ['files'],
  run: async ({ pattern, path = '', max_results = 100 }, context) => {
    const fits = compileGlob(pattern, '/pattern');
    const files = await filesToSearch(context, path, SEARCHED_FILES_MAX);
    const found = files.map((file) => file.path).filter((file) => fits(baseName(file)));
    return { pattern, path, max_results, files: found.slice(0, max_results) };
  },
});

function compileGlob(glob: string, pointer: string): (name: string) => boolean {
  try {
    return globMatcher(glob);
  } catch {
    throw new ToolError('arguments', 'the glob is not valid', { path: pointer });
  }
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
