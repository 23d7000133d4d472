import {
  type AttemptUpdate,
  differenceInWords,
  haltInWords,
  type PairMeter,
  pairInWords,
  type RaceUpdate,
  type RecordedEvent,
} from '@agentclash/api';
import { attemptScore, attemptVerdict, attemptVerdictColor } from '../scorecard/grading.js';
import { pairColor } from '../scorecard/race-view.js';
import { score } from '../terminal/figures.js';
import { LiveArea } from '../terminal/live-area.js';
import type { Output, Paint } from '../terminal/output.js';
import { oneLine, oneLineWithEnd } from '../terminal/printable.js';
import type { Board } from './board.js';
import { renderBoard } from './render.js';

/** Shows a race while it runs. */
export interface Viewer {
  show(event: RecordedEvent, update: RaceUpdate | undefined): void;
  /** Pairs whose verdict is new. */
  showVerdicts(pairs: readonly PairMeter[], at: string): void;
  /** A line about the watching itself. */
  printLine(line: string): void;
  /** Idempotent. */
  close(): void;
}

/** NDJSON for programs, a board on a terminal, lines elsewhere. */
export function viewerFor(output: Output, board: Board): Viewer {
  if (output.modes.json) return new EventViewer(output);
  if (output.modes.quiet)
    return {
      show: () => undefined,
      showVerdicts: () => undefined,
      printLine: (line) => output.warn(line),
      close: () => undefined,
    };
  return output.stderr.isTTY ? new BoardViewer(output, board) : new LineViewer(output);
}

class EventViewer implements Viewer {
  constructor(private readonly output: Output) {}

  show(event: RecordedEvent): void {
    this.output.record(event, () => undefined);
  }

  /** Lines are events alone. */
  showVerdicts(): void {}

  printLine(line: string): void {
    this.output.warn(line);
  }

  close(): void {}
}

class LineViewer implements Viewer {
  constructor(private readonly output: Output) {}

  show(_event: RecordedEvent, update: RaceUpdate | undefined): void {
    if (update !== undefined) this.output.note(updateLine(update, this.output.paint));
  }

  showVerdicts(pairs: readonly PairMeter[], at: string): void {
    for (const pair of pairs) this.output.note(verdictLine(pair, at, this.output.paint));
  }

  printLine(line: string): void {
    this.output.warn(line);
  }

  close(): void {}
}

const REDRAW_EVERY_MS = 100;
/** Without news the clock on the board still goes. */
const IDLE_REDRAW_TICKS = 5;

class BoardViewer implements Viewer {
  private readonly area: LiveArea;
  private readonly timer: ReturnType<typeof setInterval>;
  private readonly news: string[] = [];
  private ticksIdle = IDLE_REDRAW_TICKS;
  private isClosed = false;
  /** With the next tick: a window that is dragged has many sizes on its way. */
  private readonly redraw = () => {
    this.ticksIdle = IDLE_REDRAW_TICKS;
  };

  constructor(
    private readonly output: Output,
    private readonly board: Board,
  ) {
    this.area = new LiveArea(output.stderr);
    this.timer = setInterval(() => this.tick(), REDRAW_EVERY_MS);
    output.stderr.on('resize', this.redraw);
    process.on('SIGCONT', this.redraw);
    this.draw();
  }

  show(_event: RecordedEvent, update: RaceUpdate | undefined): void {
    this.ticksIdle = IDLE_REDRAW_TICKS;
    if (update !== undefined && isFailure(update)) {
      this.news.push(updateLine(update, this.output.paint));
    }
  }

  /** The board has a meter for each pair. */
  showVerdicts(): void {
    this.redraw();
  }

  printLine(line: string): void {
    this.news.push(this.output.paint.yellow(line));
    this.draw();
  }

  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    clearInterval(this.timer);
    this.output.stderr.off('resize', this.redraw);
    process.off('SIGCONT', this.redraw);
    this.draw();
    this.area.close();
  }

  private tick(): void {
    this.ticksIdle += 1;
    if (this.ticksIdle > IDLE_REDRAW_TICKS) this.draw();
  }

  private draw(): void {
    const { columns, rows } = this.area;
    const options = { nowMs: Date.now(), columns, rows, paint: this.output.paint };
    this.area.draw(renderBoard(this.board, options), this.news.splice(0));
    this.ticksIdle = 0;
  }
}

/** Of `not graded`, the longest word, and of `1.000`: what follows is aligned. */
const VERDICT_WIDTH = 10;
const WHY_CHARACTERS_MAX = 160;
const SCORE_WIDTH = 5;
const RETRIED = 'again'.padEnd(VERDICT_WIDTH + 2 + SCORE_WIDTH);
const VERDICT = 'verdict'.padEnd(VERDICT_WIDTH + 2 + SCORE_WIDTH);
const HALTED = 'stopped'.padEnd(VERDICT_WIDTH + 2 + SCORE_WIDTH);

/** One line for what has happened: `14:05:09Z  passed      1.000  solver  case-3 #1  (3/10)`. */
export function updateLine(update: RaceUpdate, paint: Paint): string {
  const time = paint.dim(`${update.at.slice(11, 19)}Z`);
  if (update.kind === 'run') {
    const why = update.reason === null ? '' : `: ${oneLine(update.reason)}`;
    return `${time}  run ${update.status}${why}`;
  }
  if (update.kind === 'halted') {
    return `${time}  ${HALTED}  ${paint.bold(oneLine(update.laneName))}  ${oneLine(haltInWords(update))}`;
  }
  const { laneName, caseKey, repetition, scored, total } = update;
  const caseLabel = `${oneLine(caseKey)} #${repetition}`;
  const progress = paint.dim(`(${scored}/${total})`);
  return `${time}  ${result(update, paint)}  ${paint.bold(oneLine(laneName))}  ${caseLabel}${why(update)}  ${progress}`;
}

/** `14:05:09Z  verdict            good is better than weak  +0.420 [+0.120, +0.710]  31/100 cases` */
export function verdictLine(pair: PairMeter, at: string, paint: Paint): string {
  const time = paint.dim(`${at.slice(11, 19)}Z`);
  const verdict = pairColor(pair, paint)(VERDICT);
  const cases = paint.dim(`${pair.cases}/${pair.population} cases`);
  return `${time}  ${verdict}  ${paint.bold(oneLine(pairInWords(pair)))}  ${differenceInWords(pair)}  ${cases}`;
}

/** True when it deserves a line although the board shows the figures. */
function isFailure(update: RaceUpdate): boolean {
  return update.kind === 'scored' && (update.passed !== true || update.outcome !== 'completed');
}

function result({ kind, ...ended }: AttemptUpdate, paint: Paint): string {
  if (kind === 'retried') return paint.yellow(RETRIED);
  const verdict = attemptVerdictColor(ended, paint)(attemptVerdict(ended).padEnd(VERDICT_WIDTH));
  return `${verdict}  ${score(attemptScore(ended)).padEnd(SCORE_WIDTH)}`;
}

function why({ outcome, message }: AttemptUpdate): string {
  const parts = [outcome === 'completed' ? null : outcome, message].filter((part) => part !== null);
  return parts.length === 0 ? '' : `  ${oneLineWithEnd(parts.join(': '), WHY_CHARACTERS_MAX)}`;
}
