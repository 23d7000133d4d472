import type { MemberProblem } from '@agentclash/challengepack';

/** A problem of an archive or one of its members; the message is for the author of the pack. */
export class ArchiveError extends Error {
  override readonly name = 'ArchiveError';

  constructor(
    message: string,
    readonly code: MemberProblem['code'] = 'invalid_archive',
    readonly suggestion?: string,
  ) {
    super(message);
  }

  get problem(): MemberProblem {
    const { code, message, suggestion } = this;
    return { code, message, ...(suggestion !== undefined && { suggestion }) };
  }
}

/** Bytes of one member; an archive itself has at most 100 MiB. */
const MEMBER_BYTES_MAX = 64 * 1024 * 1024;
/** Bytes of all members of one archive that a pack names. */
export const MEMBERS_BYTES_MAX = 128 * 1024 * 1024;
/** Bytes that are unpacked of one archive. */
export const UNPACKED_BYTES_MAX = 256 * 1024 * 1024;
export const ENTRIES_MAX = 100_000;
/** Text and tables compress to a tenth, bombs to a thousandth. */
const RATIO_MAX = 200;
/** Below this size the ratio is not checked. */
const RATIO_BYTES_MIN = 1024 * 1024;

/** Throws when the compression ratio is that of a bomb. */
export function rejectDecompressionBomb(packed: number, unpacked: number): void {
  if (unpacked > RATIO_BYTES_MIN && unpacked > packed * RATIO_MAX) {
    throw new ArchiveError(`it unpacks to more than ${RATIO_MAX} times its size`);
  }
}

export function refuseLarge(bytes: number): void {
  if (bytes > MEMBER_BYTES_MAX) {
    throw new ArchiveError(`it has more than ${MEMBER_BYTES_MAX / 1024 / 1024} MiB`);
  }
}

/** Normalises equivalent paths: `a`, `./a`, `a//b` and `a/b`. */
export function normalPath(name: string): string {
  return name
    .split('/')
    .filter((segment) => segment !== '' && segment !== '.')
    .join('/');
}
