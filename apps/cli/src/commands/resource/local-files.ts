import { readFile, realpath } from 'node:fs/promises';
import path from 'node:path';
import type { DeploymentFile } from '../../deployment-file/read.js';
import type { Problem } from '../../yaml/problem-line.js';

/** Bytes by the path that the file gives. */
export type LocalContents = ReadonlyMap<string, Uint8Array<ArrayBuffer>>;

/**
 * The real path of a file below the folder, whose author need not be the user; undefined for one that lies elsewhere,
 * also by a link. Fails as `realpath` does.
 */
async function fileInside(folder: string, name: string): Promise<string | undefined> {
  const base = await realpath(folder);
  const file = await realpath(path.resolve(folder, name));
  const inside = path.relative(base, file);
  const isOutside = inside === '..' || inside.startsWith(`..${path.sep}`) || path.isAbsolute(inside);
  return isOutside ? undefined : file;
}

/** Reads every file that deployments bring along; those that cannot be read are problems of the deployment file. */
export async function readLocalFiles(
  { entries, source }: DeploymentFile,
  folder: string,
): Promise<{ contents: LocalContents; problems: Problem[] }> {
  const contents = new Map<string, Uint8Array<ArrayBuffer>>();
  const problems: Problem[] = [];
  for (const { references, at } of entries) {
    for (const { to, name: from, written } of references) {
      if (to !== 'file' || contents.has(from)) continue;
      try {
        const file = await fileInside(folder, from);
        if (file === undefined) {
          const message = `${from} is not in the folder of this file, or below it: copy it there`;
          problems.push(source.problemAt([...at, ...written], { code: 'unknown_reference', message }));
          continue;
        }
        contents.set(from, new Uint8Array(await readFile(file)));
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        const message =
          code === 'ENOENT' ? `there is no file ${from} beside it` : `${from} cannot be read (${code})`;
        problems.push(source.problemAt([...at, ...written], { code: 'unknown_reference', message }));
      }
    }
  }
  return { contents, problems };
}
