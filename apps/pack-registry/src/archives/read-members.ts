import { type ArchiveFormat, type MemberFault, nearestName } from '@agentclash/challengepack';
import { ArchiveFault, MEMBERS_BYTES_MAX, normalPath } from './archive-faults.js';
import { gunzipped, tarEntries } from './tar.js';
import { type ArchiveEntry, zipEntries } from './zip.js';

export interface MembersTask {
  archive: Uint8Array;
  format: ArchiveFormat;
  /** Of the members that are wanted. */
  paths: readonly string[];
}

export type MemberReading = { path: string } & ({ bytes: Uint8Array } | { fault: MemberFault });

const ENTRIES: { readonly [F in ArchiveFormat]: (archive: Buffer) => ArchiveEntry[] } = {
  zip: zipEntries,
  tar: tarEntries,
  'tar.gz': (archive) => tarEntries(gunzipped(archive)),
};

/** Takes members out of an archive that nobody vouches for. Never throws because of what the archive holds. */
export function readMembers({ archive, format, paths }: MembersTask): MemberReading[] {
  const bytes = Buffer.from(archive.buffer, archive.byteOffset, archive.byteLength);
  const entries = attempt(() => byPath(ENTRIES[format](bytes)));
  let left = MEMBERS_BYTES_MAX;
  return paths.map((path): MemberReading => {
    if ('fault' in entries) return { path, fault: entries.fault };
    const read = attempt(() => {
      const member = readMember(entries.value, path);
      left -= member.length;
      if (left >= 0) return member;
      throw new ArchiveFault(
        `the members of one archive may have ${MEMBERS_BYTES_MAX / 1024 / 1024} MiB together`,
      );
    });
    return 'fault' in read ? { path, fault: read.fault } : { path, bytes: read.value };
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
    throw new ArchiveFault(
      `the archive has no ${path}`,
      'artifact_not_found',
      nearestName(path, entries.keys()),
    );
  }
  if (others.length > 0) throw new ArchiveFault('the archive has it more than once');
  return entry.read();
}

/** What lies outside the bytes of a damaged archive makes Node.js throw a RangeError. */
function attempt<T>(work: () => T): { value: T } | { fault: MemberFault } {
  try {
    return { value: work() };
  } catch (error) {
    if (error instanceof ArchiveFault) return { fault: error.fault };
    if (error instanceof RangeError) return { fault: new ArchiveFault('the archive is damaged').fault };
    throw error;
  }
}
