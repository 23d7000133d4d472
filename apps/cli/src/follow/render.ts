import { count, dollars, duration, score } from '../terminal/figures.js';
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
const BAR_WIDTH = 20;

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
  return lines.filter((line) => line !== undefined).map((line) => fit(line, options.columns));
}

function head(board: Board, { nowMs, paint }: RenderOptions): string {
  const endMs = board.endedAt === undefined ? nowMs : Date.parse(board.endedAt);
  const elapsed = board.startedAt === undefined ? null : endMs - Date.parse(board.startedAt);
  const eta = board.endedAt === undefined ? board.etaMs(nowMs) : null;
  return [
    paint.bold(oneLine(board.title)),
    board.status,
    `${board.scored}/${board.total}`,
    duration(elapsed),
    ...(eta === null ? [] : [paint.dim(`ETA ${duration(eta)}`)]),
  ].join('  ');
}

function laneLine(lane: Lane, nameWidth: number, { paint }: RenderOptions): string {
  const { scored, total, passed, judged, tokens, costUsd } = lane;
  return [
    paint.bold(padEnd(fit(oneLine(lane.name), nameWidth), nameWidth)),
    bar(scored, total, paint),
    `${scored}/${total}`.padStart(String(total).length * 2 + 1),
    `score ${score(lane.overall)}`,
    judged === 0 ? 'passed -' : `passed ${passed}/${judged}`,
    ...(tokens > 0 ? [`${count(tokens)} tokens`] : []),
    ...(costUsd > 0 ? [dollars(costUsd)] : []),
  ].join('  ');
}

function workLine({ running }: Lane, { paint }: RenderOptions): string | undefined {
  const [first, ...others] = running;
  if (first === undefined) return undefined;
  const { caseKey, repetition, state, step, tool } = first;
  const doing = [
    `${oneLine(caseKey)} #${repetition}`,
    state,
    ...(step === undefined ? [] : [`step ${step}`]),
    ...(tool === undefined ? [] : [oneLine(tool)]),
  ].join(' ');
  return paint.dim(`  ${doing}${others.length > 0 ? `  and ${others.length} more` : ''}`);
}

function bar(done: number, total: number, paint: Paint): string {
  const filled = total === 0 ? BAR_WIDTH : Math.floor((done / total) * BAR_WIDTH);
  return paint.green('█'.repeat(filled)) + paint.dim('░'.repeat(BAR_WIDTH - filled));
}
