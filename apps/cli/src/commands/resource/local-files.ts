import { readdir, readFile, realpath } from 'node:fs/promises';
import path from 'node:path';
import { suggestedName } from '@agentclash/challengepack';
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
  { described, source }: DeploymentFile,
  folder: string,
): Promise<{ contents: LocalContents; problems: Problem[] }> {
  const contents = new Map<string, Uint8Array<ArrayBuffer>>();
  const problems: Problem[] = [];
  for (const { references, at } of described) {
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
        const problem = await unreadable(error, folder, from);
        problems.push(source.problemAt([...at, ...written], problem));
      }
    }
  }
  return { contents, problems };
}

/** Why a file cannot be read, and which is there of a similar name. */
async function unreadable(
  error: unknown,
  folder: string,
  from: string,
): Promise<Pick<Problem, 'code' | 'message' | 'suggestion'>> {
  const { code } = error as NodeJS.ErrnoException;
  if (code !== 'ENOENT') return { code: 'unknown_reference', message: `${from} cannot be read (${code})` };
  const suggestion = await similarFile(folder, from);
  const hint = suggestion === undefined ? '' : `; did you mean ${suggestion}?`;
  return {
    code: 'unknown_reference',
    message: `there is no file ${from} beside it${hint}`,
    ...(suggestion !== undefined && { suggestion }),
  };
}

/** Looks only where the file would be, which is below the folder. */
async function similarFile(folder: string, from: string): Promise<string | undefined> {
  const directory = path.posix.dirname(from);
  const inside = await fileInside(folder, directory).catch(() => undefined);
  if (inside === undefined) return undefined;
  const names = (await readdir(inside)).slice(0, NAMES_MAX);
  const nearest = suggestedName(path.posix.basename(from), names);
  return nearest === undefined ? undefined : path.posix.join(directory, nearest);
}

const NAMES_MAX = 1_000;
