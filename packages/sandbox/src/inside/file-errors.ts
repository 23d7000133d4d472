import { SandboxError, type SandboxErrorCode } from '../sandbox-error.js';

/** Exit codes of file workers, in the order of `enum file_error` in `native/wire.h`. */
const ERRORS: readonly (readonly [SandboxErrorCode, string])[] = [
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

export function errorOfCode(exitCode: number): SandboxError {
  const [code, message] = ERRORS[exitCode] ??
    ERRORS[0] ?? ['unavailable', 'unknown exit code of a file worker'];
  return new SandboxError(code, message);
}
