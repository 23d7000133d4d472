import { SandboxError } from '../sandbox-error.js';

/** How many lines of a build's output its error has. */
export const LAST_LINES = 10;

/** The error of a build by buildah that has failed, with the last lines of its output and the limit that explains them. */
export function buildFailure(
  lines: readonly string[],
  { diskBytes, memoryBytes }: { diskBytes: number; memoryBytes: number },
): SandboxError {
  const output = lines.join('\n');
  const cause =
    /no space left on device|disk quota exceeded|file too large|file size limit exceeded|exit status 153/i.test(
      output,
    )
      ? `: it needs more than the ${diskBytes} bytes of disk that a build has`
      : /signal: killed|exit status 137/.test(output)
        ? `: a command was killed, perhaps for more than the ${memoryBytes} bytes of memory that a build has`
        : '';
  return new SandboxError('invalid_image', `the build failed${cause}\n${output}`);
}
