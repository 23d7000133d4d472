import { availableParallelism, totalmem } from 'node:os';

/** Agents wait for models most of the time; one rarely uses more of its memory limit than this. */
const SANDBOXES_PER_CORE = 6;
const SANDBOX_BYTES = 512 * 1024 ** 2;

/** How many sandboxes this machine runs at once. */
export function sandboxesMax(): number {
  return Math.max(
    1,
    Math.min(SANDBOXES_PER_CORE * availableParallelism(), Math.floor(totalmem() / SANDBOX_BYTES)),
  );
}
