/**
 * One way in which a value may be written, as a machine over text units. States are the form's own numbers, below
 * `STATES_MAX`. A unit is one character: a UTF-16 code unit of a text, or a byte of data read as Latin-1.
 */
export interface Form {
  readonly starts: readonly number[];
  /** Every unit that can occur in a match. */
  readonly units: ReadonlySet<string>;
  /** The states that follow; empty when the unit does not continue a match. */
  next(state: number, unit: string): readonly number[];
  /** True when the text read so far is a match. */
  accepts(state: number): boolean;
}

export const STATES_MAX = 2 ** 25;

/** Units that may occur between positions without belonging to the value: a line break in base64, blanks in hex. */
export interface Gap {
  units: string;
  /** How many of them at a time. */
  max: number;
  /** Only after every so many positions. */
  every: number;
}

export interface SequenceOptions {
  gap?: Gap;
  /** The first position may be absent. */
  isHeadOptional?: boolean;
  /** How many positions at the end may be absent, from the last one on. */
  optionalTail?: number;
}

const NO_GAP: Gap = { units: '', max: 0, every: 1 };

/** A run of positions, each given as its permitted units. A state is a position and the gap before it. */
export class SequenceForm implements Form {
  readonly starts: readonly number[];
  readonly units: ReadonlySet<string>;
  private readonly required: number;
  private readonly gap: Gap;
  private readonly width: number;

  constructor(
    private readonly positions: readonly string[],
    { isHeadOptional = false, optionalTail = 0, gap = NO_GAP }: SequenceOptions = {},
  ) {
    this.gap = gap;
    this.width = gap.max + 1;
    this.starts = isHeadOptional ? [0, this.width] : [0];
    this.units = new Set([...new Set(positions), gap.units].join('').split(''));
    this.required = positions.length - optionalTail;
  }

  next(state: number, unit: string): readonly number[] {
    const position = Math.floor(state / this.width);
    const passed = state % this.width;
    const following = this.positions[position]?.includes(unit) ? [(position + 1) * this.width] : [];
    if (this.mayPass(position, passed) && this.gap.units.includes(unit)) following.push(state + 1);
    return following;
  }

  accepts(state: number): boolean {
    return state % this.width === 0 && state / this.width >= this.required;
  }

  private mayPass(position: number, passed: number): boolean {
    // Behind an optional head a stream would hold back any text that happens to end with it.
    const isBetween = position >= this.starts.length && position < this.positions.length;
    return isBetween && passed < this.gap.max && position % this.gap.every === 0;
  }
}
