import { type Form, STATES_MAX } from './form.js';

/** A form, and the label of its matches. */
export interface Pattern {
  form: Form;
  label: number;
}

/** The partial matches at one position of the text. */
export interface State {
  /** Labels of the patterns that match up to here, lowest first. */
  readonly labels: readonly number[];
  /** The lowest label still in play, negative ones aside. */
  readonly label: number | undefined;
  readonly positions: readonly number[];
  /** By unit class; null without a next state, a hole where it is not yet known. */
  readonly next: (State | null | undefined)[];
}

// Bounds memory when a very long value occurs; the states are then built again as they are met.
const CACHED_STATES_MAX = 8192;

/** All patterns as one machine, whose states are built when a text first reaches them. */
export class Automaton {
  private readonly classes: Uint16Array;
  private readonly units: string[] = [''];
  private cached = new Map<string, State>();
  private start: State;

  constructor(private readonly patterns: readonly Pattern[]) {
    this.classes = new Uint16Array(2 ** 16);
    for (const unit of new Set(patterns.flatMap(({ form }) => [...form.units]))) {
      this.classes[unit.charCodeAt(0)] = this.units.push(unit) - 1;
    }
    this.start = this.rootState();
  }

  get root(): State {
    return this.start;
  }

  /** The state after a code unit; null when no pattern continues with it. */
  step(state: State, code: number): State | null {
    const unitClass = this.classes[code];
    // Class 0: the unit is in no pattern.
    if (unitClass === undefined || unitClass === 0) return null;
    const known = state.next[unitClass];
    return known === undefined ? this.build(state, unitClass) : known;
  }

  private build(state: State, unitClass: number): State | null {
    const unit = this.units[unitClass] ?? '';
    const positions = new Set<number>();
    for (const position of state.positions) {
      const index = Math.floor(position / STATES_MAX);
      const following = this.patterns[index]?.form.next(position % STATES_MAX, unit) ?? [];
      for (const inner of following) positions.add(index * STATES_MAX + inner);
    }
    const next = positions.size === 0 ? null : this.intern([...positions].sort((a, b) => a - b));
    state.next[unitClass] = next;
    return next;
  }

  private intern(positions: number[]): State {
    const key = positions.join();
    const known = this.cached.get(key);
    if (known !== undefined) return known;
    if (this.cached.size >= CACHED_STATES_MAX) {
      this.cached = new Map();
      this.start = this.rootState();
    }
    const state = this.stateOf(positions);
    this.cached.set(key, state);
    return state;
  }

  private rootState(): State {
    return this.stateOf(
      this.patterns.flatMap(({ form }, index) => form.starts.map((inner) => index * STATES_MAX + inner)),
    );
  }

  private stateOf(positions: readonly number[]): State {
    const accepted = new Set<number>();
    let label: number | undefined;
    for (const position of positions) {
      const pattern = this.patterns[Math.floor(position / STATES_MAX)];
      if (pattern === undefined) continue;
      if (pattern.label >= 0) label = Math.min(label ?? pattern.label, pattern.label);
      if (pattern.form.accepts(position % STATES_MAX)) accepted.add(pattern.label);
    }
    return { positions, label, labels: [...accepted].sort((a, b) => a - b), next: [] };
  }
}
