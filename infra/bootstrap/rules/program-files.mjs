import { existsSync } from 'node:fs';
import path from 'node:path';

const NAMED =
  /(?:path\.(?:join|resolve)\(\s*import\.meta\.dirname,|new URL\()\s*'([^'\s]+\.(?:js|mjs))'\s*[,)]/g;

/** Programs of threads and processes that a source names by path exist: no compiler follows such a path when files move. */
export function checkProgramFiles(workspace, root) {
  return workspace
    .flatMap(({ files }) => files)
    .flatMap(({ path: file, code }) =>
      [...code.matchAll(NAMED)]
        .map(([, named]) => ({ named, source: path.posix.join(path.posix.dirname(file), named) }))
        .filter(({ source }) =>
          [source, source.replace(/\.js$/, '.ts')].every((each) => !existsSync(path.join(root, each))),
        )
        .map(({ named }) => ({ at: file, message: `the program ${named} does not exist` })),
    );
}
