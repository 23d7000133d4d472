/** Exit codes of a worker, as in `wire.h`. */
export const FAULT = {
  notFound: 1,
  notPermitted: 2,
  isDirectory: 3,
  notDirectory: 4,
  notRegular: 5,
  loop: 6,
  tooLarge: 7,
  noSpace: 8,
  invalidPath: 9,
  io: 10,
  malformed: 11,
};

const BY_ERRNO = {
  ENOENT: FAULT.notFound,
  ENOTDIR: FAULT.notDirectory,
  EISDIR: FAULT.isDirectory,
  ELOOP: FAULT.loop,
  ENAMETOOLONG: FAULT.invalidPath,
  ENOSPC: FAULT.noSpace,
  EDQUOT: FAULT.noSpace,
  EMFILE: FAULT.tooLarge,
  EFBIG: FAULT.tooLarge,
  EACCES: FAULT.notPermitted,
  EPERM: FAULT.notPermitted,
  EROFS: FAULT.notPermitted,
  EBUSY: FAULT.notPermitted,
};

/** Ends a worker with a fault for its caller. */
export class Fault extends Error {
  constructor(code) {
    super(`fault ${code}`);
    this.code = code;
  }
}

export function faultOf(error) {
  return error instanceof Fault ? error.code : (BY_ERRNO[error?.code] ?? FAULT.io);
}
