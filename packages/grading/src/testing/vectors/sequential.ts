import { expectNear } from '@agentclash/testkit/near';
import type { VectorDriver } from '@agentclash/testkit/vectors';
import { ConfidenceSequence } from '../../sequential/confidence-sequence.js';

/** Bounds of the mean of all N values after t of them, and the first t at which ½ lies outside. */
interface Vector {
  id: string;
  N: number;
  alpha: number;
  x: number[];
  want: { t: number; lower: number; upper: number }[];
  decided: { t: number; verdict: 'better' | 'worse' } | null;
}

/** Of the bounds: they lie on a grid of 0.0005. */
const TOLERANCE = 1e-3;

export const driver: VectorDriver<Vector> = {
  run({ N, alpha, x, want, decided }) {
    const sequence = new ConfidenceSequence({ population: N, alpha });
    let first: Vector['decided'] = null;
    const bounds = x.map((value, index) => {
      sequence.add(value);
      const t = index + 1;
      if (sequence.side !== 0) first ??= { t, verdict: sequence.side > 0 ? 'better' : 'worse' };
      const [lower, upper] = sequence.interval;
      return { t, lower, upper };
    });
    const wanted = new Set(want.map(({ t }) => t));
    expectNear(
      bounds.filter(({ t }) => wanted.has(t)),
      want,
      TOLERANCE,
    );
    expectNear({ decided: first }, { decided });
  },
};
