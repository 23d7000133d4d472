import { DOCKERFILE_CHARACTERS_MAX } from '@agentclash/domain';

export const DOCKERFILE_BYTES_MAX = DOCKERFILE_CHARACTERS_MAX;
/** The most bytes of all files that a build may copy. */
export const CONTEXT_BYTES_MAX = 512 * 1024 * 1024;

/** The folder of a Dockerfile and its name there; undefined for one that has no folder. */
export function splitDockerfile(path: string): { folder: string; name: string } | undefined {
  const segments = segmentsOf(path);
  const name = segments.pop();
  return name === undefined || segments.length === 0 ? undefined : { folder: segments.join('/'), name };
}

/** The path in the folder; undefined for one outside of it. */
export function pathBelow(folder: string, path: string): string | undefined {
  const whole = segmentsOf(path).join('/');
  return whole.startsWith(`${folder}/`) ? whole.slice(folder.length + 1) : undefined;
}

/** The files that a Dockerfile can copy, by their path in its folder; of one path the first asset counts. */
export function buildContext<A extends { path: string }>(
  folder: string,
  assets: Iterable<A>,
): Map<string, A> {
  const files = new Map<string, A>();
  for (const asset of assets) {
    const path = pathBelow(folder, asset.path);
    if (path !== undefined && !files.has(path)) files.set(path, asset);
  }
  return files;
}

function segmentsOf(path: string): string[] {
  return path.split('/').filter((segment) => segment !== '' && segment !== '.');
}
