import type { Case, Filesystem, Manifest } from '../pack/model.js';

type Placed = Pick<Case, 'challenge_key' | 'sandbox'>;
type WithDirectories = Pick<Manifest, 'filesystem' | 'challenges'>;

/** Where the agent of a case starts: as the case, its challenge or the pack sets it, the nearest wins. */
export function workingDirectoryOf(manifest: WithDirectories, each: Placed): string {
  return caseFilesystem(manifest, each).working_directory ?? '/workspace';
}

/** The directories of the pack, with the working directory of the case, which its agent may always read and write. */
export function caseFilesystem({ filesystem, challenges }: WithDirectories, each: Placed): Filesystem {
  const challenge = challenges?.find(({ key }) => key === each.challenge_key);
  const own = each.sandbox?.working_directory ?? challenge?.sandbox?.working_directory;
  if (own === undefined) return { ...filesystem };
  // Roots without entries mean the working directory already.
  const withOwn = (roots: string[] | undefined) => (roots?.length ? [...new Set([...roots, own])] : []);
  return {
    ...filesystem,
    working_directory: own,
    readable_roots: withOwn(filesystem?.readable_roots),
    writable_roots: withOwn(filesystem?.writable_roots),
  };
}
