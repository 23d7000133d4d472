/** Handles Ctrl-C and SIGTERM while something runs, instead of dying of it. */
export class Interrupt {
  private readonly abort = new AbortController();
  private readonly onSignal = () => this.end();
  private readonly obey = () => {
    this.isOrder = true;
    this.end();
  };
  /** True when it was SIGTERM: what ends us may end the server too. */
  isOrder = false;

  /** `once`: called at the first signal; the next one ends the program at once. */
  constructor(private readonly once?: () => void) {
    process.on('SIGINT', this.onSignal);
    process.on('SIGTERM', this.obey);
  }

  get signal(): AbortSignal {
    return this.abort.signal;
  }

  get happened(): boolean {
    return this.abort.signal.aborted;
  }

  /** From here on Ctrl-C does again what it always does. */
  release(): void {
    process.off('SIGINT', this.onSignal);
    process.off('SIGTERM', this.obey);
  }

  private end(): void {
    if (this.once !== undefined) {
      this.release();
      this.once();
    }
    this.abort.abort();
  }
}

/** True when Ctrl-C comes within that time. */
export function interruptWithin(ms: number): Promise<boolean> {
  return new Promise((resolve) => {
    const finish = (came: boolean) => () => {
      clearTimeout(timer);
      process.off('SIGINT', onInterrupt);
      resolve(came);
    };
    const onInterrupt = finish(true);
    const timer = setTimeout(finish(false), ms);
    process.on('SIGINT', onInterrupt);
  });
}
