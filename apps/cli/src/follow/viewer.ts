import type { RaceUpdate, RecordedEvent } from '@agentclash/api';
import { LiveArea } from '../terminal/live-area.js';
import type { Output } from '../terminal/output.js';
import type { Board } from './board.js';
import { renderBoard } from './render.js';
import { isFailure, updateLine } from './update-line.js';

/** Shows a race while it runs. */
export interface Viewer {
  show(event: RecordedEvent, update: RaceUpdate | undefined): void;
  /** A line about the watching itself. */
  printLine(line: string): void;
  /** Idempotent. */
  close(): void;
}

/** NDJSON for programs, a board on a terminal, lines elsewhere. */
export function viewerFor(output: Output, board: Board): Viewer {
  if (output.modes.json) return new EventViewer(output);
  if (output.modes.quiet)
    return { show: () => undefined, printLine: (line) => output.warn(line), close: () => undefined };
  return output.stderr.isTTY ? new BoardViewer(output, board) : new LineViewer(output);
}

class EventViewer implements Viewer {
  constructor(private readonly output: Output) {}

  show(event: RecordedEvent): void {
    this.output.record(event, () => undefined);
  }

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
