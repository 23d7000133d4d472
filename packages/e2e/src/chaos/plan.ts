import { FAULTS, type FaultKind } from './faults.js';

/** One fault that is to be injected. */
export interface PlannedFault {
  kind: FaultKind;
  /** The share of attempts that have finished by then. */
  at: number;
  seconds: number;
}

/** Neither before anything works nor when all is done. */
const FIRST = 0.03;
const LAST = 0.8;

/** An attempt has three deliveries: of what loses them only so many may come together, or one could be lost for good. */
const LOSSES_MAX = 2;

/** Those of the kinds that an attempt survives when all of them come; chance decides which of the worst stay out. */
export function survivable(kinds: readonly FaultKind[], random: Randomness): FaultKind[] {
  const left = new Set(kinds);
  for (;;) {
    const worst = [...left].filter((kind) => FAULTS[kind].losesDeliveries);
    if (worst.length <= LOSSES_MAX) return [...left];
    left.delete(random.one(worst));
  }
}

/** Each of these faults once, at random moments; in order. */
export function planOf(kinds: readonly FaultKind[], random: Randomness): PlannedFault[] {
  return kinds
    .map((kind) => {
      const { seconds, latest = LAST } = FAULTS[kind];
      return {
        kind,
        at: random.between(FIRST, latest),
        seconds: random.between(...seconds),
      };
    })
    .sort((left, right) => left.at - right.at);
}

export function describe({ kind, at, seconds }: PlannedFault): string {
  const lasting = seconds === 0 ? '' : ` for ${seconds.toFixed(1)} s`;
  return `${kind} at ${(at * 100).toFixed(0)} %${lasting}`;
}

/** Numbers that a seed decides, the same on every machine (mulberry32). */
export class Randomness {
  private state: number;

  constructor(readonly seed: number) {
    this.state = seed >>> 0;
  }

  /** At least 0, less than 1. */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), this.state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  between(least: number, most: number): number {
    return least + this.next() * (most - least);
  }

  one<T>(of: readonly T[]): T {
    const chosen = of[Math.floor(this.next() * of.length)];
    if (chosen === undefined) throw new Error('there is nothing to choose from');
    return chosen;
  }
}
