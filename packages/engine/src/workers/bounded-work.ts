/** Bounds of work that shares a pool with other attempts. */
export interface WorkBounds {
  signal: AbortSignal;
  /** Excludes the time spent waiting for the pool from the attempt's. */
  exclude: (ms: number) => void;
}

export interface PatternTask {
  /** RE2. */
  pattern: string;
  isCaseSensitive: boolean;
  texts: readonly string[];
  /** Matches after which no more are looked for. */
  max: number;
}

export type PatternReply = readonly number[] | 'invalid' | 'limit';

/** Searches texts by patterns of agents and authors, off the shared thread. */
export interface PatternSearches {
  /**
   * Indexes of the texts that hold a match; `invalid` when the pattern is no RE2, `limit` when the search took more
   * time or memory than it may. Rejects with the signal's reason.
   */
  search(task: PatternTask, bounds: WorkBounds): Promise<PatternReply>;
}

/** Lets few queries run at a time, since each may take much memory; fair between workspaces. */
export interface QueryLimiter {
  run<T>(work: () => Promise<T>, bounds: WorkBounds): Promise<T>;
}
