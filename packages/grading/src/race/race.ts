import { PairRace } from './pair-race.js';
import type {
  Elimination,
  LaneDecision,
  PairDecision,
  RaceBlock,
  RaceDecisions,
  RaceGoal,
  RaceSettings,
} from './types.js';

/** The value of a case by its position in the drawn order; undefined while an attempt of it runs. */
type Values = (number | null | undefined)[];

interface Beaten {
  readonly position: number;
  readonly by: string;
}

/**
 * The state of a race. Its decisions are a function of the settings, the drawn order and the values of the blocks alone:
 * the order in which blocks arrive, and how many arrive at a time, does not matter. A verdict is final for the blocks
 * that it rests on; when one of these is replaced, everything is computed again.
 */
export class SequentialRace {
  private readonly positions: ReadonlyMap<string, number>;
  private readonly values: ReadonlyMap<string, Values>;
  private pairs: PairRace[];
  /** For the goal `best`: lanes that are certainly not the best. */
  private beaten = new Map<string, Beaten>();

  /** `order` holds the keys of all cases as drawn. */
  constructor(
    private readonly settings: RaceSettings,
    private readonly order: readonly string[],
  ) {
    const { lanes, baseline } = settings;
    this.positions = new Map(order.map((caseKey, position) => [caseKey, position]));
    const all = baseline === undefined ? lanes : [...lanes, baseline];
    this.values = new Map(all.map((lane): [string, Values] => [lane, order.map(() => undefined)]));
    this.pairs = this.newPairs();
    if (this.pairs.length === 0) throw new RangeError('A race needs two lanes, or a baseline');
  }

  /** Adds blocks, or replaces those of the same lane and case, and counts what is complete in the drawn order. */
  update(blocks: readonly RaceBlock[]): void {
    let isRewritten = false;
    for (const { lane, case_key, value } of blocks) {
      const position = this.positions.get(case_key);
      const values = this.values.get(lane);
      if (position === undefined || values === undefined) {
        throw new RangeError(`The race has no lane ${lane} with a case ${case_key}`);
      }
      if (value !== null && !(value >= 0 && value <= 1)) {
        throw new RangeError(`The value ${value} of ${lane} in ${case_key} is not within 0 to 1`);
      }
      isRewritten ||= values[position] !== value && position < this.counted(lane);
      values[position] = value;
    }
    if (isRewritten) {
      this.pairs = this.newPairs();
      this.beaten = new Map();
    }
    if (this.settings.goal === 'best') this.advanceTogether();
    else for (const pair of this.pairs) this.advance(pair);
  }

  /** With `ended`, for a race that a budget or a cancellation stopped, pairs without a verdict are `undecided`. */
  decisions({ ended = false }: { ended?: boolean } = {}): RaceDecisions {
    const lanes = this.settings.lanes.map((lane) => this.laneDecision(lane));
    const position = Math.max(...this.pairs.map((pair) => pair.position));
    const isOver = this.pairs.every((pair) => this.closedAt(pair) !== undefined);
    const overState = position < this.order.length ? 'decided' : 'complete';
    const openState = ended ? 'stopped' : 'open';
    return {
      state: isOver ? overState : openState,
      position,
      cases: this.order.length,
      share: this.share,
      pairs: this.pairs.map((pair) => this.pairDecision(pair, ended)),
      lanes,
      best: isOver || ended ? this.best() : null,
    };
  }

  private get share(): number {
    return this.settings.alpha / pairsOf(this.settings).length;
  }

  private newPairs(): PairRace[] {
    const { margin, max_missing_share } = this.settings;
    const cases = this.order.length;
    return pairsOf(this.settings).map(
      ([a, b]) => new PairRace({ a, b, cases, alpha: this.share, margin, max_missing_share }),
    );
  }

  /** Cases of a lane that some verdict or interval rests on. */
  private counted(lane: string): number {
    return Math.max(...this.pairsWith(lane).map((pair) => pair.position));
  }

  private pairsWith(lane: string): PairRace[] {
    return this.pairs.filter(({ a, b }) => a === lane || b === lane);
  }

  /** Pairs of the goals `ranking` and `baseline` do not depend on one another. */
  private advance(pair: PairRace): void {
    while (!pair.isDecided && this.isReady(pair)) this.count(pair);
  }

  /**
   * A pair of the goal `best` no longer counts once one of its lanes is beaten, by whichever lane. So that this does not
   * depend on the speed of the lanes, all pairs count a case together.
   */
  private advanceTogether(): void {
    for (;;) {
      const open = this.pairs.filter((pair) => this.closedAt(pair) === undefined);
      if (open.length === 0 || !open.every((pair) => this.isReady(pair))) return;
      for (const pair of open) this.count(pair);
      this.findBeaten();
    }
  }

  private isReady({ a, b, position }: PairRace): boolean {
    return this.valueOf(a, position) !== undefined && this.valueOf(b, position) !== undefined;
  }

  private count(pair: PairRace): void {
    const { a, b, position } = pair;
    pair.count(this.valueOf(a, position) ?? null, this.valueOf(b, position) ?? null);
  }

  private valueOf(lane: string, position: number): number | null | undefined {
    return this.values.get(lane)?.[position];
  }

  private findBeaten(): void {
    const racing = this.settings.lanes.filter((lane) => !this.beaten.has(lane));
    for (const lane of racing) {
      const lost = this.pairsWith(lane).find(
        (pair) => pair.loser === lane && racing.includes(opponent(pair, lane)),
      );
      if (lost !== undefined) this.beaten.set(lane, { position: lost.position, by: opponent(lost, lane) });
    }
  }

  /** The position after which the goal needs no more of the pair; undefined while it does. */
  private closedAt(pair: PairRace): number | undefined {
    if (pair.isDecided || this.beaten.has(pair.a) || this.beaten.has(pair.b)) return pair.position;
    return undefined;
  }

  private pairDecision(pair: PairRace, ended: boolean): PairDecision {
    const decision = pair.decision();
    if (pair.isDecided) return { ...decision, state: 'decided' };
    if (this.closedAt(pair) !== undefined) return { ...decision, state: 'not_needed', verdict: 'undecided' };
    return ended ? { ...decision, state: 'stopped', verdict: 'undecided' } : { ...decision, state: 'open' };
  }

  private laneDecision(lane: string): LaneDecision {
    const left = this.elimination(lane);
    if (left !== null) {
      return { lane, position: left.position, eliminated: left.position < this.order.length ? left : null };
    }
    const gap = this.values.get(lane)?.indexOf(undefined) ?? 0;
    return { lane, position: gap < 0 ? this.order.length : gap, eliminated: null };
  }

  private elimination(lane: string): Elimination | null {
    const beaten = this.beaten.get(lane);
    if (beaten !== undefined) return { ...beaten, case_key: this.caseAt(beaten.position), reason: 'beaten' };
    let last: { position: number; by: string } | undefined;
    for (const pair of this.pairsWith(lane)) {
      const position = this.closedAt(pair);
      if (position === undefined) return null;
      if (last === undefined || position > last.position) last = { position, by: opponent(pair, lane) };
    }
    return last === undefined ? null : { ...last, case_key: this.caseAt(last.position), reason: 'decided' };
  }

  private caseAt(position: number): string {
    return this.order[position - 1] ?? '';
  }

  private best(): string[] | null {
    const { goal, lanes } = this.settings;
    if (goal === 'baseline') return null;
    const losers = new Set(this.pairs.map((pair) => pair.loser));
    const best = lanes.filter((lane) => !losers.has(lane));
    return best.length > 0 ? best : [...lanes];
  }
}

function opponent({ a, b }: PairRace, lane: string): string {
  return a === lane ? b : a;
}

const PAIRS: { [G in RaceGoal]: (settings: RaceSettings) => [a: string, b: string][] } = {
  ranking: everyPair,
  best: everyPair,
  baseline: ({ lanes, baseline }) =>
    baseline === undefined ? [] : lanes.map((lane): [string, string] => [lane, baseline]),
};

/** The pairs of a goal, in the order of the lanes. Each has the same share of alpha. */
function pairsOf(settings: RaceSettings): [a: string, b: string][] {
  return PAIRS[settings.goal](settings);
}

function everyPair({ lanes }: RaceSettings): [string, string][] {
  return lanes.flatMap((a, index) => lanes.slice(index + 1).map((b): [string, string] => [a, b]));
}
