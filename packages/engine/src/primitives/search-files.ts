import { z } from 'zod';
import { ToolError } from '../outcome/tool-error.js';
import { filesToSearch } from './files.js';
import { globMatcher } from './glob.js';
import { definePrimitive } from './primitive.js';

/** Files looked at in one search. */
export const SEARCHED_FILES_MAX = 50_000;

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

export function compileGlob(glob: string, pointer: string): (name: string) => boolean {
  try {
    return globMatcher(glob);
  } catch {
    throw new ToolError('arguments', 'the glob cannot be read', { path: pointer });
  }
}

export function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
