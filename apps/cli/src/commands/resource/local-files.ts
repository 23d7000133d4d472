import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { DeploymentFile } from '../../deployment-file/read.js';
import type { Problem } from '../../yaml/problem-line.js';

/** Bytes by the path that the file gives. */
export type LocalContents = ReadonlyMap<string, Uint8Array<ArrayBuffer>>;

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
        contents.set(from, new Uint8Array(await readFile(path.resolve(folder, from))));
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
