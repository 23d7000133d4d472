import { ConfidenceSequence, type GridRange } from '../sequential/confidence-sequence.js';
import { isAtLeast, SCORE_SLACK } from '../tolerance.js';
import type { PairDecision, PairVerdict } from './types.js';

export interface PairOptions {
  readonly a: string;
  readonly b: string;
  /** All cases of the race. */
  readonly cases: number;
  /** The pair's share of alpha. */
  readonly alpha: number;
  readonly margin: number;
  readonly max_missing_share: number;
  /** The part of the grid to keep; the whole one unless only verdicts are of interest. */
  readonly range?: GridRange;
}

type Sign = -1 | 0 | 1;

/** The evidence about two lanes, case by case in the drawn order, until there is a verdict. */
export class PairRace {
  readonly a: string;
  readonly b: string;
  private readonly options: PairOptions;
  private readonly sequence: ConfidenceSequence;
  private counted = 0;
  private missing = 0;
  private final: { verdict: PairVerdict; sign: Sign | null } | null = null;

  constructor(options: PairOptions) {
    this.a = options.a;
    this.b = options.b;
    this.options = options;
    this.sequence = new ConfidenceSequence(
      { population: options.cases, alpha: options.alpha },
      options.range,
    );
    if (options.cases === 0) this.final = { verdict: 'insufficient', sign: null };
  }

  get position(): number {
    return this.counted;
  }

  get isDecided(): boolean {
    return this.final !== null;
  }

  /** The lane that is certainly worse; undefined without such a verdict. */
  get loser(): string | undefined {
    const sign = this.final?.sign ?? 0;
    if (sign === 0) return undefined;
    return sign > 0 ? this.b : this.a;
  }

  /** Counts the next case. A verdict is final: no case counts after it. */
  count(left: number | null, right: number | null): void {
    if (this.final !== null) return;
    this.counted += 1;
    if (left === null || right === null) {
      this.missing += 1;
      this.sequence.shrinkPopulation();
    } else {
      this.sequence.add((left - right + 1) / 2);
    }
    this.final = this.decide();
  }

  decision(): Omit<PairDecision, 'state'> {
    const { a, b, counted, missing, sequence, final } = this;
    const [lower, upper] = sequence.interval;
    return {
      a,
      b,
      verdict: final?.verdict ?? null,
      sign: final?.sign ?? null,
      position: counted,
      cases: sequence.count,
      population: sequence.population,
      missing,
      difference: sequence.mean === null ? null : 2 * sequence.mean - 1,
      interval: [2 * lower - 1, 2 * upper - 1],
    };
  }

  private decide(): { verdict: PairVerdict; sign: Sign | null } | null {
    const { cases, margin, max_missing_share } = this.options;
    const { sequence } = this;
    const tooMany = !isAtLeast(max_missing_share, this.missing / cases);
    if (tooMany || sequence.population === 0) return { verdict: 'insufficient', sign: null };
    if (sequence.isComplete) return { verdict: 'exact', sign: signOf((sequence.mean ?? 0.5) - 0.5) };
    const { side } = sequence;
    if (side !== 0) return { verdict: side > 0 ? 'better' : 'worse', sign: side };
    if (margin === 0) return null;
    const [lower, upper] = sequence.interval;
    const isWithin = isAtLeast(lower, (1 - margin) / 2) && isAtLeast((1 + margin) / 2, upper);
    return isWithin ? { verdict: 'equivalent', sign: null } : null;
  }
}

function signOf(difference: number): Sign {
  if (Math.abs(difference) <= SCORE_SLACK) return 0;
  return difference > 0 ? 1 : -1;
}
