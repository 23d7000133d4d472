import { type Client, routes } from '@agentclash/api';
import type { Board } from './board.js';
import type { Viewer } from './viewer.js';

/** Verdicts change at most a few times a second, and the meters of a board are read by people. */
const PAUSE_MS = 1_000;

/** Reads the verdicts and the budget of a race while it is followed: its events have neither. */
export class VerdictReader {
  private timer: ReturnType<typeof setTimeout> | undefined;
  private reading: Promise<void> | undefined;
  private isStopped = false;
  /** Of the last event. */
  private at = '';

  constructor(
    private readonly client: Client,
    private readonly board: Board,
    private readonly viewer: Viewer,
  ) {}

  /** Reads them within a second after an event. For a run without `stop_when` nothing is read. */
  readSoon(at: string): void {
    this.at = at;
    if (!this.board.hasRace || this.isStopped) return;
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      this.reading ??= this.read().finally(() => {
        this.reading = undefined;
      });
    }, PAUSE_MS);
  }

  /** Reads them once more, after the last event. */
  async readLast(): Promise<void> {
    this.stop();
    await this.reading;
    if (this.board.hasRace) await this.read();
  }

  stop(): void {
    this.isStopped = true;
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  /** A server that is unreachable is reported by the stream of events. */
  private async read(): Promise<void> {
    try {
      const run = await this.client.call(routes.runs.get, { params: { run_id: this.board.runId } });
      this.viewer.showVerdicts(this.board.observe(run), this.at);
    } catch {
      // The next event causes another try.
    }
  }
}
