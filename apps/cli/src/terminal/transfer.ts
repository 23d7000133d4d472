import { bytes } from './figures.js';
import { LiveArea } from './live-area.js';
import type { Output } from './output.js';
import { oneLine } from './printable.js';

/** Smaller files are there before anybody could read how far they are. */
const SHOWN_FROM_BYTES = 8_388_608;
const EVERY_MS = 100;

export interface Transfer {
  /** So many bytes have gone by altogether. */
  at(done: number): void;
  end(): void;
}

/** One line on a terminal that tells how far a large file is; nothing elsewhere. */
export function showTransfer({ stderr, modes }: Output, name: string, total: number): Transfer | undefined {
  if (!stderr.isTTY || modes.quiet || modes.json || total < SHOWN_FROM_BYTES) return undefined;
  const area = new LiveArea(stderr);
  let nextAt = 0;
  return {
    at(done) {
      if (Date.now() < nextAt) return;
      nextAt = Date.now() + EVERY_MS;
      const percent = Math.min(100, Math.floor((100 * done) / total));
      area.draw([`${oneLine(name)}  ${bytes(Math.min(done, total))} of ${bytes(total)}  ${percent} %`]);
    },
    end() {
      area.draw([]);
      area.close();
    },
  };
}
