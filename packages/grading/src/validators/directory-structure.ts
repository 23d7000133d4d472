import type { DirectoryListing } from '../evidence/verification.js';
import { listingOf } from './file-target.js';
import { type Finding, fail, passIf } from './judgement.js';
import { notCollected } from './text-target.js';
import type { ValidatorInput } from './validator.js';

export function directoryStructure(input: ValidatorInput<'directory_structure'>): Finding {
  const found = listingOf(input);
  if (found === undefined) return notCollected(input.evidence);
  const { evidence: listing, pointer } = found;
  if (!listing.exists) return { ...fail('file_missing'), pointer };
  const { required_files, required_directories, forbidden_files } = input.config;
  const kinds = kindsByPath(listing);
  const kindOf = (path: string) => kinds.get(withoutEndSlash(path));
  const isAsExpected =
    required_files.every((path) => kindOf(path) === 'file') &&
    required_directories.every((path) => kindOf(path) === 'directory') &&
    forbidden_files.every((path) => kindOf(path) === undefined);
  return { ...passIf(isAsExpected, 'structure_mismatch'), pointer };
}

type EntryKind = 'file' | 'directory';

/** What stands at each path, by the path as a whole and relative to the listing. */
function kindsByPath({ path, entries }: DirectoryListing): Map<string, EntryKind> {
  const base = `${withoutEndSlash(path)}/`;
  const kinds = new Map<string, EntryKind>();
  for (const entry of entries) {
    const kind = entry.is_dir ? 'directory' : 'file';
    const name = withoutEndSlash(entry.path);
    const relative = name.startsWith(base) ? name.slice(base.length) : name;
    kinds.set(relative, kind).set(name.startsWith('/') ? name : base + relative, kind);
  }
  return kinds;
}

function withoutEndSlash(path: string): string {
  return path.endsWith('/') ? path.slice(0, -1) : path;
}
