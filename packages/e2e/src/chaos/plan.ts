import { FAULTS, type FaultKind } from './faults.js';
import type { Randomness } from './randomness.js';

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
