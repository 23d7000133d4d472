import type { AttemptError } from './attempt-result.js';

/** The first difference between a request and the recorded one; excerpts in JSON, undefined where a side has nothing. */
export interface RequestDifference {
  path: string;
  expected: string | undefined;
  found: string | undefined;
}

/** A request of a replay that differs, by the number of its model call. */
export interface Divergence extends RequestDifference {
  call: number;
}

const NOTHING = 'nothing';
const EXCERPT = `"(?:[^"\\\\]|\\\\.)*"|${NOTHING}`;
const DIVERGENCE = new RegExp(
  `^model call (\\d+) differs from the recorded one at (.+?): expected (${EXCERPT}), found (${EXCERPT})$`,
  's',
);

/** A sentence for readers of the attempt. */
export function divergenceText({ call, path, expected, found }: Divergence): string {
  return `model call ${call} differs from the recorded one at ${path}: expected ${expected ?? NOTHING}, found ${found ?? NOTHING}`;
}

/** The parts of such a sentence, as an attempt's error has it; undefined for any other one. */
export function divergenceIn(message: string): Divergence | undefined {
  const [, call, path, expected, found] = DIVERGENCE.exec(message) ?? [];
  if (path === undefined) return undefined;
  const side = (excerpt: string | undefined) => (excerpt === NOTHING ? undefined : excerpt);
  return { call: Number(call), path, expected: side(expected), found: side(found) };
}

/** The code of an attempt that made another request than the one it replays. */
export const REPLAY_DIVERGED = 'replay_diverged';

/** True when the attempt made another request than the one that it replays; a further delivery would make it again. */
export function hasDiverged({ error }: { error: Pick<AttemptError, 'code'> | null }): boolean {
  return error?.code === REPLAY_DIVERGED;
}
