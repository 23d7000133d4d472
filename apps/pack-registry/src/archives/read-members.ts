import { type ArchiveFormat, type MemberProblem, nearestName } from '@agentclash/challengepack';
import { ArchiveError, MEMBERS_BYTES_MAX, normalPath } from './archive-errors.js';
import { gunzipped, tarEntries } from './tar.js';
import { type ArchiveEntry, zipEntries } from './zip.js';

export interface MembersTask {
  archive: Uint8Array;
  format: ArchiveFormat;
  /** Of the requested members. */
  paths: readonly string[];
}

export type MemberReading = { path: string } & ({ bytes: Uint8Array } | { problem: MemberProblem });

const ENTRIES: { readonly [F in ArchiveFormat]: (archive: Buffer) => ArchiveEntry[] } = {
  zip: zipEntries,
  tar: tarEntries,
  'tar.gz': (archive) => tarEntries(gunzipped(archive)),
};

/** Extracts members from an untrusted archive. Never throws because of its content. */
export function readMembers({ archive, format, paths }: MembersTask): MemberReading[] {
  const bytes = Buffer.from(archive.buffer, archive.byteOffset, archive.byteLength);
  const entries = attempt(() => byPath(ENTRIES[format](bytes)));
  let left = MEMBERS_BYTES_MAX;
  return paths.map((path): MemberReading => {
    if ('problem' in entries) return { path, problem: entries.problem };
    const read = attempt(() => {
      const member = readMember(entries.value, path);
      left -= member.length;
      if (left >= 0) return member;
      throw new ArchiveError(
        `the members of one archive may have ${MEMBERS_BYTES_MAX / 1024 / 1024} MiB together`,
      );
    });
    return 'problem' in read ? { path, problem: read.problem } : { path, bytes: read.value };
  });
}

function byPath(entries: readonly ArchiveEntry[]): Map<string, ArchiveEntry[]> {
  const found = new Map<string, ArchiveEntry[]>();
  for (const entry of entries) {
    const same = found.get(entry.path);
    if (same) same.push(entry);
    else found.set(entry.path, [entry]);
  }
  return found;
}

function readMember(entries: Map<string, ArchiveEntry[]>, path: string): Uint8Array {
  const [entry, ...others] = entries.get(normalPath(path)) ?? [];
  if (entry === undefined) {
    throw new ArchiveError(
      `the archive has no ${path}`,
      'artifact_not_found',
      nearestName(path, entries.keys()),
    );
  }
  if (others.length > 0) throw new ArchiveError('the archive has it more than once');
  return entry.read();
}

/** Node.js throws a RangeError for offsets outside of a damaged archive. */
function attempt<T>(work: () => T): { value: T } | { problem: MemberProblem } {
  try {
    return { value: work() };
  } catch (error) {
    if (error instanceof ArchiveError) return { problem: error.problem };
    if (error instanceof RangeError) return { problem: new ArchiveError('the archive is damaged').problem };
    throw error;
  }
}
