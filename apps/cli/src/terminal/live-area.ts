import type { Screen } from './output.js';
import { fit } from './width.js';

const ESCAPE = '\u001b[';
/** Terminals that know it show what lies between as one picture; the others ignore it. */
const BEGIN_UPDATE = `${ESCAPE}?2026h`;
const END_UPDATE = `${ESCAPE}?2026l`;
const HIDE_CURSOR = `${ESCAPE}?25l`;
const SHOW_CURSOR = `${ESCAPE}?25h`;
const CLEAR_LINE_END = `${ESCAPE}K`;
const CLEAR_BELOW = `${ESCAPE}J`;

/** The last lines of a terminal, written over in place; each picture is one write. */
export class LiveArea {
  private height = 0;

  constructor(private readonly screen: Screen) {}

  get columns(): number {
    return Math.max(20, (this.screen.columns ?? 80) - 1);
  }

  /** Shows these lines instead of the last ones; `above` scrolls away for good. */
  draw(lines: readonly string[], above: readonly string[] = []): void {
    const shown = lines.slice(0, Math.max(1, (this.screen.rows ?? 24) - 1));
    // What is cut to the width cannot wrap, so that the height is the number of lines.
    const text = [...above, ...shown].map((line) => `${fit(line, this.columns)}${CLEAR_LINE_END}\n`).join('');
    this.screen.write(`${BEGIN_UPDATE}${HIDE_CURSOR}${this.home()}${text}${CLEAR_BELOW}${END_UPDATE}`);
    this.height = shown.length;
  }

  /** Leaves the last picture where it is and gives the cursor back. */
  close(): void {
    this.screen.write(SHOW_CURSOR);
    this.height = 0;
  }

  private home(): string {
    return this.height === 0 ? '\r' : `\r${ESCAPE}${this.height}A`;
  }
}
