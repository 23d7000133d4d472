/** A report of progress as MCP has it: `progress` never decreases. */
export interface ProgressReport {
  progress: number;
  total?: number;
  message: string;
}

const EVERY_MS = 250;
/** Clients give a call up that is silent for longer, mostly 60 s. */
const SILENCE_MS = 10_000;
const STEP = 0.001;

/** Reports how far a command is: not more often than clients can use, and often enough that they keep waiting. */
export class Progress {
  private done = 0;
  private total: number | undefined;
  private reported = 0;
  private message = 'started';
  private nextAt = 0;
  private readonly timer: NodeJS.Timeout;

  constructor(private readonly send: (report: ProgressReport) => void) {
    this.timer = setInterval(() => this.report(), SILENCE_MS);
  }

  expect(total: number): void {
    this.total = total;
  }

  /** One more is done where the line is of one. */
  at(message: string, isDone: boolean): void {
    this.message = message;
    if (isDone) this.done += 1;
    if (Date.now() >= this.nextAt) this.report();
  }

  end(): void {
    clearInterval(this.timer);
  }

  private report(): void {
    this.nextAt = Date.now() + EVERY_MS;
    const { done, total = 0, message, reported } = this;
    this.reported = Math.max(done, reported + STEP);
    this.timer.refresh();
    // Attempts that are delivered again can be more than there were.
    const known = total >= this.reported ? { total } : {};
    this.send({ progress: this.reported, ...known, message });
  }
}
