import type { EventPayloads } from '@agentclash/domain';
import type { ImageProgress } from '@agentclash/sandbox';
import type { Clock } from '../clock.js';
import type { AttemptEvents } from '../events/attempt-events.js';

/** The first event comes after this time, the next after twice as long, up to the maximum. */
const INTERVAL_MS = 1_000;
const INTERVAL_MS_MAX = 15_000;
const LINE_CHARACTERS_MAX = 200;

/** Records the progress of an image as few events of the attempt, however often it is reported. */
export function recordedProgress(
  image: string,
  { events, clock }: { events: AttemptEvents; clock: Pick<Clock, 'monotonic'> },
): (progress: ImageProgress) => void {
  let intervalMs = INTERVAL_MS;
  let nextAt = clock.monotonic() + intervalMs;
  let last = '';
  return (progress) => {
    const now = clock.monotonic();
    if (now < nextAt || events.isFull) return;
    const payload = { image, ...shown(progress) };
    const text = JSON.stringify(payload);
    if (text === last) return;
    last = text;
    intervalMs = Math.min(2 * intervalMs, INTERVAL_MS_MAX);
    nextAt = now + intervalMs;
    events.record('sandbox.image.progressed', payload);
  };
}

function shown({
  phase,
  doneBytes,
  totalBytes = 0,
  line,
}: ImageProgress): Omit<EventPayloads['sandbox.image.progressed'], 'image'> {
  const hasPart = doneBytes !== undefined && totalBytes > 0;
  return {
    phase,
    ...(hasPart && { percent: Math.min(100, Math.floor((100 * doneBytes) / totalBytes)) }),
    ...(line !== undefined && { line: line.slice(0, LINE_CHARACTERS_MAX) }),
  };
}
