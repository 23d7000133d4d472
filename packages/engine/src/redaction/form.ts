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
  /** Whether the text read so far is a match. */
  accepts(state: number): boolean;
}

export const STATES_MAX = 2 ** 24;

export interface SequenceOptions {
  /** The first position may be absent. */
  isHeadOptional?: boolean;
  /** How many positions at the end may be absent, from the last one on. */
  optionalTail?: number;
}

/** A run of positions, each given as the units that may stand there. */
export class SequenceForm implements Form {
  readonly starts: readonly number[];
  readonly units: ReadonlySet<string>;
  private readonly required: number;

  constructor(
    private readonly positions: readonly string[],
    { isHeadOptional = false, optionalTail = 0 }: SequenceOptions = {},
  ) {
    this.starts = isHeadOptional ? [0, 1] : [0];
    this.units = new Set([...new Set(positions)].join('').split(''));
    this.required = positions.length - optionalTail;
  }

  next(state: number, unit: string): readonly number[] {
    return this.positions[state]?.includes(unit) ? [state + 1] : [];
  }

  accepts(state: number): boolean {
    return state >= this.required;
  }
}
