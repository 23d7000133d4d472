import { cutStep, Replay, type ReplayStep } from '@agentclash/api';
import type { HistoryEvent } from '@agentclash/contracts';

/** Characters of one page as JSON, unless a single step has more. */
const PAGE_BYTES_MAX = 4_194_304;

/** A page of the steps of one delivery, whose events are all there. */
export function stepsPage(
  events: readonly HistoryEvent[],
  { delivery, from, end, textMax }: { delivery: number; from: number; end: number; textMax?: number },
): { items: ReplayStep[]; next_cursor: string | null } {
  const replay = new Replay(delivery);
  for (const event of events) replay.apply(event);
  const items: ReplayStep[] = [];
  let bytes = 0;
  for (const whole of replay.steps.slice(from, end)) {
    const step = textMax === undefined ? whole : cutStep(whole, textMax, replay.sent.get(whole.number));
    bytes += JSON.stringify(step).length;
    if (bytes > PAGE_BYTES_MAX && items.length > 0) break;
    items.push(step);
  }
  const next = from + items.length;
  return { items, next_cursor: next < replay.steps.length ? String(next) : null };
}
