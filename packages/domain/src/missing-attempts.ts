/** Planned attempts without a usable scorecard. */
export interface MissingAttempts {
  readonly attempts: number;
  /** How many for each reason (the code of an error, else how an attempt ended), the most frequent first. */
  readonly reasons: readonly { readonly reason: string; readonly attempts: number }[];
  /** By case and reason, the most frequent first; at most 50 of them. */
  readonly cases: readonly {
    readonly case_key: string;
    readonly reason: string;
    readonly attempts: number;
  }[];
}

/** Of one side of a comparison. `reasons` and `cases` are empty where only the number is known. */
export interface SideMissing extends MissingAttempts {
  readonly planned: number;
}
