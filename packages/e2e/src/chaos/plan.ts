import type { Randomness } from './randomness.js';
import { STRIKES, type StrikeKind } from './strikes.js';

/** One strike that is to come. */
export interface PlannedStrike {
  kind: StrikeKind;
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
export function bearable(kinds: readonly StrikeKind[], random: Randomness): StrikeKind[] {
  const left = new Set(kinds);
  for (;;) {
    const worst = [...left].filter((kind) => STRIKES[kind].losesDeliveries);
    if (worst.length <= LOSSES_MAX) return [...left];
    left.delete(random.one(worst));
  }
}

/** Each of these strikes once, at moments that chance decides; in order. */
export function planOf(kinds: readonly StrikeKind[], random: Randomness): PlannedStrike[] {
  return kinds
    .map((kind) => {
      const { seconds, latest = LAST } = STRIKES[kind];
      return {
        kind,
        at: random.between(FIRST, latest),
        seconds: random.between(...seconds),
      };
    })
    .sort((left, right) => left.at - right.at);
}

export function describe({ kind, at, seconds }: PlannedStrike): string {
  const lasting = seconds === 0 ? '' : ` for ${seconds.toFixed(1)} s`;
  return `${kind} at ${(at * 100).toFixed(0)} %${lasting}`;
}
