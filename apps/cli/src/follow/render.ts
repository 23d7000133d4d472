import { clock, count, dollars, score } from '../terminal/figures.js';
import type { Paint } from '../terminal/output.js';
import { oneLine } from '../terminal/printable.js';
import { displayWidth, fit, padEnd } from '../terminal/width.js';
import type { Board } from './board.js';
import type { Lane } from './lane.js';

export interface RenderOptions {
  nowMs: number;
  columns: number;
  paint: Paint;
}

const NAME_WIDTH_MAX = 28;
const BAR_WIDTH_MAX = 20;
const BAR_WIDTH_MIN = 4;

/** The board as lines that fit the columns: a head, then a lane and what it is at. */
export function renderBoard(board: Board, options: RenderOptions): string[] {
  const nameWidth = Math.min(
    NAME_WIDTH_MAX,
    Math.max(...board.lanes.map(({ name }) => displayWidth(oneLine(name)))),
  );
  const lines = [
    head(board, options),
    ...board.lanes.flatMap((lane) => [laneLine(lane, nameWidth, options), workLine(lane, options)]),
  ];
  return lines.map((line) => fit(line, options.columns));
}

function head(board: Board, { nowMs, paint }: RenderOptions): string {
  const endMs = board.endedAt === undefined ? nowMs : Date.parse(board.endedAt);
  const elapsed = board.startedAt === undefined ? null : endMs - Date.parse(board.startedAt);
  const eta = board.endedAt === undefined ? board.etaMs(nowMs) : null;
  return [
    paint.bold(oneLine(board.title)),
    board.status,
    `${board.scored}/${board.total}`,
    clock(elapsed),
    ...(eta === null ? [] : [paint.dim(`ETA ${clock(eta)}`)]),
  ].join('  ');
}

function laneLine(lane: Lane, nameWidth: number, { paint, columns }: RenderOptions): string {
  const { scored, total, passed, judged, tokens, costUsd } = lane;
  const name = padEnd(fit(oneLine(lane.name), nameWidth), nameWidth);
  const figures = [
    `${scored}/${total}`.padStart(String(total).length * 2 + 1),
    `score ${score(lane.overall)}`,
    judged === 0 ? 'passed -' : `passed ${passed}/${judged}`,
    ...(tokens > 0 ? [`${count(tokens)} tokens`] : []),
    ...(costUsd > 0 ? [dollars(costUsd)] : []),
  ].join('  ');
  // The bar takes what the figures leave.
  const room = columns - displayWidth(name) - displayWidth(figures) - 4;
  const barWidth = Math.max(BAR_WIDTH_MIN, Math.min(BAR_WIDTH_MAX, room));
  return `${paint.bold(name)}  ${bar(scored / total, barWidth, paint)}  ${figures}`;
}

/** Always a line, so that the board does not jump. */
function workLine({ running, parked, scored, total }: Lane, { paint }: RenderOptions): string {
  const [first, ...others] = running;
  const people = parked === 0 ? '' : paint.yellow(`  ${parked} waiting for a person (run turns)`);
  if (first === undefined) {
    if (parked > 0) return people;
    return paint.dim(scored === total ? '  done' : '  waiting');
  }
  const { caseKey, repetition, state, step, tool } = first;
  const doing = [
    `${oneLine(caseKey)} #${repetition}`,
    state,
    ...(step === undefined ? [] : [`step ${step}`]),
    ...(tool === undefined ? [] : [oneLine(tool)]),
  ].join(' ');
  return paint.dim(`  ${doing}${others.length > 0 ? `  and ${others.length} more` : ''}`) + people;
}

function bar(share: number, width: number, paint: Paint): string {
  const filled = Math.floor(share * width);
  return paint.green('█'.repeat(filled)) + paint.dim('░'.repeat(width - filled));
}
