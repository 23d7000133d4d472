import type { Automaton, State } from './automaton.js';

/** A match: units `start` to `end` (exclusive) of all text fed so far. */
export interface Span {
  start: number;
  end: number;
  label: number;
  /** Not a whole match: the long beginning of one. */
  isCut: boolean;
}

// Only a value that repeats itself this often can have more matches under way at once. The oldest is then dropped and
// reported as cut, so that time stays proportional to the text.
const UNDERWAY_MAX = 64;

/** Finds every match of an automaton, at every position of the text, however the text is cut. */
export class Scanner {
  private position = 0;
  /** Matches under way: `starts` and `states` from `first` to `end`, oldest first. */
  private first = 0;
  private end = 0;
  private readonly starts = new Array<number>(UNDERWAY_MAX + 1);
  private readonly states = new Array<State>(UNDERWAY_MAX + 1);

  /** `onSpan` receives matches in the order of their ends. */
  constructor(
    private readonly automaton: Automaton,
    private readonly onSpan: (span: Span) => void,
  ) {}

  /** No match that is still to be found starts before this place. */
  get settled(): number {
    return this.first < this.end ? (this.starts[this.first] ?? this.position) : this.position;
  }

  feed(text: string): void {
    for (let index = 0; index < text.length; index++) this.read(text.charCodeAt(index));
  }

  private read(code: number): void {
    const { automaton, starts, states } = this;
    let kept = 0;
    for (let index = this.first; index < this.end; index++) {
      const state = states[index];
      const next = state && automaton.step(state, code);
      if (next) kept = this.keep(kept, starts[index] ?? 0, next);
    }
    const fresh = automaton.step(automaton.root, code);
    if (fresh) kept = this.keep(kept, this.position, fresh);
    this.position++;
    this.first = 0;
    this.end = kept;
    if (kept > UNDERWAY_MAX) this.cutOldest();
  }

  private keep(index: number, start: number, state: State): number {
    this.starts[index] = start;
    this.states[index] = state;
    for (const label of state.labels) this.onSpan({ start, end: this.position + 1, label, isCut: false });
    return index + 1;
  }

  private cutOldest(): void {
    const [start, state] = [this.starts[0], this.states[0]];
    this.first = 1;
    if (start === undefined || state?.label === undefined) return;
    this.onSpan({ start, end: this.position, label: state.label, isCut: true });
  }
}
