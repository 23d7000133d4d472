import { bytes } from './figures.js';
import type { Output, Screen } from './output.js';
import { oneLine } from './printable.js';
import { displayWidth, fit } from './width.js';

const ESCAPE = '\u001b[';
/** Terminals that know it show what lies between as one picture; the others ignore it. */
const BEGIN_UPDATE = `${ESCAPE}?2026h`;
const END_UPDATE = `${ESCAPE}?2026l`;
const HIDE_CURSOR = `${ESCAPE}?25l`;
const SHOW_CURSOR = `${ESCAPE}?25h`;
const CLEAR_LINE_END = `${ESCAPE}K`;
const CLEAR_BELOW = `${ESCAPE}J`;
const COLUMNS_MIN = 20;
const ROWS_MIN = 2;

/** The last lines of a terminal, written over in place; each picture is one write. */
export class LiveArea {
  private shown: readonly string[] = [];
  private isOpen = false;
  private readonly showCursor = () => {
    if (this.isOpen) this.screen.write(SHOW_CURSOR);
  };
  private readonly stop = () => {
    this.showCursor();
    process.kill(process.pid, 'SIGSTOP');
  };

  constructor(private readonly screen: Screen) {}

  /** The last column stays free: what is written there would wrap on some terminals. */
  get columns(): number {
    return Math.max(COLUMNS_MIN, (this.screen.columns || 80) - 1);
  }

  /** One row is for the cursor. */
  get rows(): number {
    return Math.max(ROWS_MIN, (this.screen.rows || 24) - 1);
  }

  /** Shows these lines instead of the last ones; `above` scrolls away for good. */
  draw(lines: readonly string[], above: readonly string[] = []): void {
    this.open();
    const home = this.home();
    // A line that is cut to the width cannot wrap, so that the height is the number of lines.
    const fitted = [...above, ...lines.slice(0, this.rows)].map((line) => fit(line, this.columns));
    const text = fitted.map((line) => `${line}${CLEAR_LINE_END}\n`).join('');
    this.screen.write(`${BEGIN_UPDATE}${HIDE_CURSOR}${home}${text}${CLEAR_BELOW}${END_UPDATE}`);
    this.shown = fitted.slice(above.length);
  }

  /** Leaves the last picture where it is and gives the cursor back. */
  close(): void {
    this.showCursor();
    this.isOpen = false;
    this.shown = [];
    process.off('exit', this.showCursor);
    process.off('SIGTSTP', this.stop);
  }

  /** However the process ends, or is stopped by Ctrl-Z, the cursor must be seen again. */
  private open(): void {
    if (this.isOpen) return;
    this.isOpen = true;
    process.on('exit', this.showCursor);
    process.on('SIGTSTP', this.stop);
  }

  /** Back to the first line of the last picture, whose lines wrap where the terminal has become narrower. */
  private home(): string {
    const columns = this.screen.columns || 80;
    const height = this.shown.reduce(
      (rows, line) => rows + Math.max(1, Math.ceil(displayWidth(line) / columns)),
      0,
    );
    return height === 0 ? '\r' : `\r${ESCAPE}${height}A`;
  }
}

/** Smaller files arrive before a person could read the progress. */
const SHOWN_FROM_BYTES = 8_388_608;
const EVERY_MS = 100;

export interface Transfer {
  /** So many bytes have gone by altogether. */
  at(done: number): void;
  end(): void;
}

/** One line on a terminal with the progress of a large file; nothing elsewhere. */
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
