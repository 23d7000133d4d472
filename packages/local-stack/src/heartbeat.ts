export interface HeartbeatOptions {
  /** Sends one request; `replied` records its reply. */
  send: () => void;
  /** Called once, when so many requests in a row had no reply. */
  onSilence: () => void;
  everyMs?: number;
  missedMax?: number;
}

const EVERY_MS = 2_000;
const MISSED_MAX = 10;

/**
 * Detects a process that lives and does not reply, such as one whose event loop is blocked. It counts requests, not
 * time: when the machine was suspended nothing was missed.
 */
export class Heartbeat {
  private missed = 0;
  private readonly timer: NodeJS.Timeout;

  constructor(options: HeartbeatOptions) {
    const { send, onSilence, everyMs = EVERY_MS, missedMax = MISSED_MAX } = options;
    this.timer = setInterval(() => {
      if (this.missed >= missedMax) {
        this.stop();
        onSilence();
        return;
      }
      this.missed += 1;
      send();
    }, everyMs);
  }

  replied(): void {
    this.missed = 0;
  }

  stop(): void {
    clearInterval(this.timer);
  }
}
