import type { Paint } from '../terminal/output.js';
import { displayWidth } from '../terminal/width.js';

export interface RenderOptions {
  nowMs: number;
  columns: number;
  /** The most lines that can be shown. */
  rows: number;
  paint: Paint;
}

/** Narrower boards leave out the clocks of lanes, for the head has one, and have short meters. */
export const WIDE_FROM_COLUMNS = 60;
export const GAP = '  ';

/** As many as fit; a figure cut in the middle would be another figure. */
export function fitting(figures: readonly string[], columns: number): string {
  let text = '';
  for (const figure of figures) {
    const next = text === '' ? figure : `${text}${GAP}${figure}`;
    if (displayWidth(next) > columns) break;
    text = next;
  }
  return text;
}
