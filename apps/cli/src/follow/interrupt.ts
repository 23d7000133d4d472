/** Handles Ctrl-C and SIGTERM while something runs, instead of dying of it. */
export class Interrupt {
  private readonly abort = new AbortController();
  private readonly onSignal = () => this.abort.abort();
  private readonly obey = () => {
    this.isOrder = true;
    this.abort.abort();
  };
  /** True when it was SIGTERM: what ends us may end the server too. */
  isOrder = false;

  constructor() {
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
