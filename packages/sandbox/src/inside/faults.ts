import { SandboxError, type SandboxErrorCode } from '../sandbox-error.js';

/** Exit codes of file workers, in the order of `enum fault` in `native/wire.h`. */
const FAULTS: readonly (readonly [SandboxErrorCode, string])[] = [
  ['unavailable', 'the sandbox refused without a reason'],
  ['not_found', 'no such file or directory'],
  ['not_permitted', 'not permitted'],
  ['is_directory', 'is a directory'],
  ['not_directory', 'not a directory'],
  ['not_regular_file', 'not a regular file'],
  ['symlink_loop', 'too many symbolic links'],
  ['too_large', 'too large'],
  ['no_space', 'no space left on the disk'],
  ['invalid_path', 'invalid path'],
  ['unavailable', 'the sandbox could not do it'],
  ['invalid_argument', 'the archive is cut short or damaged'],
];

export function faultError(fault: number): SandboxError {
  const [code, message] = FAULTS[fault] ?? FAULTS[0] ?? ['unavailable', 'unknown fault'];
  return new SandboxError(code, message);
}
