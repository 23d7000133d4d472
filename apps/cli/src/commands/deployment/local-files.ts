import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { DeploymentFile } from '../../deployment-file/read.js';
import type { Problem } from '../../yaml/problem-line.js';

/** Bytes by the path that the file gives. */
export type LocalContents = ReadonlyMap<string, Uint8Array<ArrayBuffer>>;

/** Reads every file that deployments bring along; those that cannot be read are problems of the deployment file. */
export async function readLocalFiles(
  file: DeploymentFile,
  folder: string,
): Promise<{ contents: LocalContents; problems: Problem[] }> {
  const contents = new Map<string, Uint8Array<ArrayBuffer>>();
  const problems: Problem[] = [];
  for (const { files, at } of file.deployments) {
    for (const { from, index } of files) {
      if (contents.has(from)) continue;
      try {
        contents.set(from, new Uint8Array(await readFile(path.resolve(folder, from))));
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        const message =
          code === 'ENOENT' ? `there is no file ${from} beside it` : `${from} cannot be read (${code})`;
        const place = [...at, 'config', 'files', index, 'from'];
        problems.push(file.source.problemAt(place, { code: 'unknown_reference', message }));
      }
    }
  }
  return { contents, problems };
}
