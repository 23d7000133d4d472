import type { MemberFault } from '@agentclash/challengepack';

/** What is wrong with an archive or one of its members; the text is for the author of the pack. */
export class ArchiveFault extends Error {
  override readonly name = 'ArchiveFault';

  constructor(
    message: string,
    readonly code: MemberFault['code'] = 'invalid_archive',
    readonly suggestion?: string,
  ) {
    super(message);
  }

  get fault(): MemberFault {
    const { code, message, suggestion } = this;
    return { code, message, ...(suggestion !== undefined && { suggestion }) };
  }
}

/** Bytes of one member; an archive itself has at most 100 MiB. */
const MEMBER_BYTES_MAX = 64 * 1024 * 1024;
/** Bytes of all members of one archive that a pack names. */
export const MEMBERS_BYTES_MAX = 128 * 1024 * 1024;
/** Of all that one archive unpacks to, as far as it must be read. */
export const UNPACKED_BYTES_MAX = 256 * 1024 * 1024;
export const ENTRIES_MAX = 100_000;
/** Text and tables shrink to a tenth, bombs to a thousandth. */
const RATIO_MAX = 200;
/** Below it a ratio says nothing. */
const RATIO_BYTES_MIN = 1024 * 1024;

/** Throws when so few bytes unpack to so many. */
export function refuseBomb(packed: number, unpacked: number): void {
  if (unpacked > RATIO_BYTES_MIN && unpacked > packed * RATIO_MAX) {
    throw new ArchiveFault(`it unpacks to more than ${RATIO_MAX} times its size`);
  }
}

export function refuseLarge(bytes: number): void {
  if (bytes > MEMBER_BYTES_MAX) {
    throw new ArchiveFault(`it has more than ${MEMBER_BYTES_MAX / 1024 / 1024} MiB`);
  }
}

/** Two spellings of one place are one place: `a`, `./a`, `a//b` and `a/b`. */
export function normalPath(name: string): string {
  return name
    .split('/')
    .filter((segment) => segment !== '' && segment !== '.')
    .join('/');
}
