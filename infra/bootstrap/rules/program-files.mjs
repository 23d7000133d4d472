import { existsSync } from 'node:fs';
import path from 'node:path';

const NAMED =
  /(?:path\.(?:join|resolve)\(\s*import\.meta\.dirname,|new URL\()\s*'([^'\s]+\.(?:js|mjs))'\s*[,)]/g;

const BUILT = /\bfrom '((?:\.\.\/)+dist\/[^'\s]+\.js)'/g;

/**
 * Programs of threads and processes that a source names by path exist, and built files that one imports: no compiler follows
 * such a path when files move, and a build of before the move hides it.
 */
export function checkProgramFiles(workspace, root) {
  return workspace
    .flatMap(({ files }) => files)
    .flatMap(({ path: file, code }) =>
      [...code.matchAll(NAMED), ...code.matchAll(BUILT)]
        .map(([, named]) => ({ named, source: sourceOf(path.posix.join(path.posix.dirname(file), named)) }))
        .filter(({ source }) =>
          [source, source.replace(/\.js$/, '.ts')].every((each) => !existsSync(path.join(root, each))),
        )
        .map(({ named }) => ({ at: file, message: `the program ${named} does not exist` })),
    );
}

/** The source of a built file; other files are their own. */
function sourceOf(file) {
  return file.replace('/dist/', '/src/');
}
