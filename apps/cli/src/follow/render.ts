import { costText, elapsedMs, etaMs, haltInWords, type Lane } from '@agentclash/api';
import { clock, count, dollars, score } from '../terminal/figures.js';
import type { Paint } from '../terminal/output.js';
import { oneLine } from '../terminal/printable.js';
import { displayWidth, fit, padEnd } from '../terminal/width.js';
import type { Board } from './board.js';
import { fitting, GAP, type RenderOptions, WIDE_FROM_COLUMNS } from './layout.js';
import { raceBlock } from './race-block.js';

const NAME_WIDTH_MAX = 28;
const NAME_SHARE_MAX = 0.3;
const BAR_WIDTH_MAX = 20;
const BAR_WIDTH_MIN = 4;

/** The board as lines that fit the screen: a head, then a lane and what it is at; on a low screen lanes alone. */
export function renderBoard(board: Board, options: RenderOptions): string[] {
  const { columns, rows } = options;
  const { lanes } = board;
  const widest = Math.max(...lanes.map(({ name }) => displayWidth(oneLine(name))));
  const nameWidth = Math.min(NAME_WIDTH_MAX, Math.floor(columns * NAME_SHARE_MAX), widest);
  const race = raceBlock(board, options);
  const shown = [
    head(board, options),
    ...laneLines(lanes, nameWidth, { ...options, rows: rows - race.length }),
    ...race,
  ];
  return shown.slice(0, rows).map((line) => fit(line, columns));
}

function laneLines(lanes: readonly Lane[], nameWidth: number, options: RenderOptions): string[] {
  const available = options.rows - 1;
  if (2 * lanes.length <= available) {
    return lanes.flatMap((lane) => [laneLine(lane, nameWidth, options), workLine(lane, options)]);
  }
  if (lanes.length <= available) return lanes.map((lane) => laneLine(lane, nameWidth, options));
  const shown = lanes.slice(0, Math.max(0, available - 1));
  const hidden = lanes.slice(shown.length);
  const done = hidden.filter(({ scored, total }) => scored === total).length;
  return [
    ...shown.map((lane) => laneLine(lane, nameWidth, options)),
    options.paint.dim(`and ${hidden.length} more, ${done} of them done`),
  ];
}

function head(board: Board, { nowMs, paint, columns }: RenderOptions): string {
  const eta = board.endedAt === null ? etaMs(board, nowMs) : null;
  const figures = [
    board.status ?? 'queued',
    `${board.scored}/${board.total}`,
    clock(elapsedMs(board, nowMs)),
    ...(eta === null ? [] : [paint.dim(`ETA ${clock(eta)}`)]),
  ].join(GAP);
  // The title gives way to the figures.
  const available = Math.max(1, columns - displayWidth(figures) - GAP.length);
  return `${paint.bold(fit(oneLine(board.title), available))}${GAP}${figures}`;
}

function laneLine(lane: Lane, nameWidth: number, { paint, columns }: RenderOptions): string {
  const name = padEnd(fit(oneLine(lane.name), nameWidth), nameWidth);
  const fixed = nameWidth + 2 * GAP.length;
  const figures = fitting(figuresOf(lane), columns - fixed - BAR_WIDTH_MIN);
  // The bar takes what the figures leave.
  const available = columns - fixed - displayWidth(figures);
  const barWidth = Math.max(BAR_WIDTH_MIN, Math.min(BAR_WIDTH_MAX, available));
  return `${paint.bold(name)}${GAP}${bar(lane, barWidth, paint)}${GAP}${figures}`;
}

/** The most important first. */
function figuresOf(lane: Lane): string[] {
  const { scored, total, overall, passed, judged, tokens, costUsd, isCostKnown } = lane;
  return [
    `${scored}/${total}`.padStart(String(total).length * 2 + 1),
    `score ${score(overall)}`,
    judged === 0 ? 'passed -' : `passed ${passed}/${judged}`,
    ...(tokens > 0 ? [`${count(tokens)} tokens`] : []),
    ...(costUsd > 0 || (!isCostKnown && tokens > 0)
      ? [isCostKnown ? dollars(costUsd) : `cost ${costText(lane, dollars)}`]
      : []),
  ];
}

/** Always a line, so that the board does not jump: its clock where it fits, then its current step. */
function workLine(lane: Lane, { nowMs, columns, paint }: RenderOptions): string {
  const { running, parked } = lane;
  const parts = [
    ...(columns < WIDE_FROM_COLUMNS ? [] : clockOf(lane, nowMs)),
    ...(running.length === 0 ? [] : [`${running.length} running: ${firstOf(running)}`]),
  ];
  if (running.length === 0 && parked.length === 0) parts.push(idleText(lane));
  const people =
    parked.length === 0 ? [] : [paint.yellow(`${parked.length} waiting for a person (run turns)`)];
  const work = parts.length === 0 ? [] : [paint.dim(parts.join(GAP))];
  return `${GAP}${[...work, ...people].join(GAP)}`;
}

/** A lane without a running attempt: why it left the race, or its state. */
function idleText({ halt, skipped, scored, total }: Lane): string {
  if (halt !== null) return oneLine(haltInWords({ ...halt, by: halt.byName, skipped }));
  return scored === total ? 'done' : 'waiting';
}

function clockOf(lane: Lane, nowMs: number): string[] {
  const [elapsed, eta] = [elapsedMs(lane, nowMs), etaMs(lane, nowMs)];
  return [...(elapsed === null ? [] : [clock(elapsed)]), ...(eta === null ? [] : [`ETA ${clock(eta)}`])];
}

function firstOf([first]: Lane['running']): string {
  if (first === undefined) return '';
  const { caseKey, repetition, state, step, tool, image } = first;
  return [
    `${oneLine(caseKey)} #${repetition}`,
    ...(state === 'running' ? [] : [state]),
    ...(step === null ? [] : [`step ${step}`]),
    ...(tool === null ? [] : [oneLine(tool)]),
    ...(image === null ? [] : [oneLine(image)]),
  ].join(' ');
}

/** As long as its lane is far, in the colours of what came of it: passed, failed, without a verdict. */
function bar({ scored, total, passed, judged }: Lane, width: number, paint: Paint): string {
  // A lane whose attempts were all skipped is complete.
  const cells = (attempts: number) => (total === 0 ? width : Math.floor((attempts / total) * width));
  const filled = cells(scored);
  const green = cells(passed);
  const red = Math.min(filled - green, Math.round(((judged - passed) / total) * width));
  const rest = filled - green - red;
  return (
    paint.green('█'.repeat(green)) +
    paint.red('█'.repeat(red)) +
    paint.yellow('█'.repeat(rest)) +
    paint.dim('░'.repeat(width - filled))
  );
}
