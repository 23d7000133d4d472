import {
  costText,
  elapsedMs,
  etaMs,
  haltInWords,
  type Lane,
  type PairMeter,
  pairMeters,
  Race,
  type Run,
  type RunAgent,
  raceLine,
  raceStateOf,
} from '@agentclash/api';
import { meter, pairColor } from '../scorecard/race-view.js';
import { clock, count, dollars, score } from '../terminal/figures.js';
import type { Paint } from '../terminal/output.js';
import { oneLine } from '../terminal/printable.js';
import { displayWidth, fit, padEnd } from '../terminal/width.js';

type ShownRun = Pick<Run, 'id' | 'name' | 'pack' | 'input_set'>;
type RacedRun = Pick<Run, 'id' | 'stop_when' | 'race' | 'repetitions' | 'status'>;

/** The race that the terminal shows, under its title. */
export class Board extends Race {
  readonly title: string;
  private run: RacedRun;

  constructor(run: ShownRun & RacedRun, agents: readonly RunAgent[]) {
    super(agents);
    this.run = run;
    const { slug, version_number: number } = run.pack;
    this.title = `${run.name ?? run.id}  ${slug} v${number} / ${run.input_set.key}`;
  }

  get runId(): string {
    return this.run.id;
  }

  /** True when the run has verdicts, which no event has. */
  get hasVerdicts(): boolean {
    return this.run.stop_when?.decided !== undefined;
  }

  /** The pairs of a race to a decision, as far as they were read. */
  get pairs(): PairMeter[] {
    return this.run.race === undefined ? [] : pairMeters(this.run.race, this.lanes);
  }

  /** `decided after 61 of 500 cases, 23 USD instead of 188 USD`; undefined for a run without `stop_when`. */
  get raceLine(): string | undefined {
    const { run, stopped, lanes } = this;
    const status = (this.status ?? run.status) as Run['status'];
    const state = raceStateOf({ ...run, status, ...(stopped && { stopped }) }, lanes);
    return state && raceLine(state);
  }

  /** Takes the verdicts of the run as the server has them now, and returns the pairs whose verdict is new. */
  observe(run: RacedRun): PairMeter[] {
    const before = new Map(this.pairs.map((pair) => [pairKey(pair), pair.verdict]));
    this.run = run;
    return this.pairs.filter((pair) => pair.verdict !== null && before.get(pairKey(pair)) !== pair.verdict);
  }
}

function pairKey({ a, b }: PairMeter): string {
  return `${a.id} ${b.id}`;
}

export interface RenderOptions {
  nowMs: number;
  columns: number;
  /** The most lines that can be shown. */
  rows: number;
  paint: Paint;
}

const NAME_WIDTH_MAX = 28;
const NAME_SHARE_MAX = 0.3;
const BAR_WIDTH_MAX = 20;
const BAR_WIDTH_MIN = 4;
/** The head has a clock anyway. */
const CLOCK_FROM_COLUMNS = 60;
const GAP = '  ';

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

/** The pairs take at most this share of the screen. */
const PAIRS_SHARE_MAX = 1 / 3;
const METER_WIDTH = 21;
const METER_WIDTH_MIN = 9;
const PAIR_WIDTH_MAX = 30;
const PAIR_SHARE_MAX = 0.4;

/** The state of a race to a decision, and a meter for each pair: open ones first, for the others do not change. */
function raceBlock(board: Board, { rows, columns, paint }: RenderOptions): string[] {
  const { raceLine: line } = board;
  if (line === undefined) return [];
  const pairs = [...board.pairs].sort((a, b) => Number(a.verdict !== null) - Number(b.verdict !== null));
  const most = Math.max(1, Math.floor(rows * PAIRS_SHARE_MAX) - 1);
  const shown = pairs.length <= most ? pairs : pairs.slice(0, most - 1);
  const names = shown.map(pairName);
  const widest = Math.max(0, ...names.map(displayWidth));
  const nameWidth = Math.min(PAIR_WIDTH_MAX, Math.floor(columns * PAIR_SHARE_MAX), widest);
  const hidden = pairs.slice(shown.length);
  const decided = hidden.filter(({ verdict }) => verdict !== null).length;
  return [
    ...shown.map((pair) => pairLine(pair, nameWidth, { columns, paint })),
    ...(hidden.length === 0
      ? []
      : [paint.dim(`and ${hidden.length} more pairs, ${decided} of them decided`)]),
    paint.bold(oneLine(line)),
  ];
}

function pairName({ a, b }: PairMeter): string {
  return `${oneLine(a.name)} : ${oneLine(b.name)}`;
}

function pairLine(
  pair: PairMeter,
  nameWidth: number,
  { columns, paint }: Pick<RenderOptions, 'columns' | 'paint'>,
) {
  const { verdict, cases, population, difference } = pair;
  const name = padEnd(fit(pairName(pair), nameWidth), nameWidth);
  const width = columns < CLOCK_FROM_COLUMNS ? METER_WIDTH_MIN : METER_WIDTH;
  const color = pairColor(pair, paint);
  const figures = fitting(
    [
      (verdict ?? 'open').padEnd(VERDICT_WIDTH),
      `${cases}/${population}`.padStart(String(population).length * 2 + 1),
      ...(difference === null ? [] : [`${difference > 0 ? '+' : ''}${score(difference)}`]),
    ],
    columns - nameWidth - width - 2 * GAP.length,
  );
  return `${name}${GAP}${color(meter(pair, width))}${GAP}${figures}`;
}

/** Of `insufficient`. */
const VERDICT_WIDTH = 12;

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

/** As many as fit; a figure cut in the middle would be another figure. */
function fitting(figures: readonly string[], columns: number): string {
  let text = '';
  for (const figure of figures) {
    const next = text === '' ? figure : `${text}${GAP}${figure}`;
    if (displayWidth(next) > columns) break;
    text = next;
  }
  return text;
}

/** Always a line, so that the board does not jump: its clock where it fits, then its current step. */
function workLine(lane: Lane, { nowMs, columns, paint }: RenderOptions): string {
  const { running, parked } = lane;
  const parts = [
    ...(columns < CLOCK_FROM_COLUMNS ? [] : clockOf(lane, nowMs)),
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
  const { caseKey, repetition, state, step, tool } = first;
  return [
    `${oneLine(caseKey)} #${repetition}`,
    ...(state === 'running' ? [] : [state]),
    ...(step === null ? [] : [`step ${step}`]),
    ...(tool === null ? [] : [oneLine(tool)]),
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
