/** Hears Ctrl-C while something runs, instead of dying of it. */
export class Interrupt {
  private readonly abort = new AbortController();
  private readonly hear = () => this.abort.abort();

  constructor() {
    process.on('SIGINT', this.hear);
    process.on('SIGTERM', this.hear);
  }

  get signal(): AbortSignal {
    return this.abort.signal;
  }

  get happened(): boolean {
    return this.abort.signal.aborted;
  }

  /** From here on Ctrl-C does again what it always does. */
  release(): void {
    process.off('SIGINT', this.hear);
    process.off('SIGTERM', this.hear);
  }
}

/** Whether Ctrl-C comes within that time. */
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
