import type { Egress } from '@agentclash/egress';
import type { ArgumentChecks, PatternSearches, QueryLimiter, SandboxImages } from '@agentclash/engine';
import type { SandboxProvider } from '@agentclash/sandbox';

/** The part of a machine that attempts without services use. */
export interface LocalPorts {
  sandboxes: SandboxProvider;
  images: SandboxImages;
  egress: Egress;
  argumentChecks: ArgumentChecks;
  patternSearches: PatternSearches;
  queryLimiter: QueryLimiter;
  starvationMax?: number;
  /** Waits until a test may use so many CPUs; returns a function that releases them. */
  takeCpu: (cpu: number, signal: AbortSignal) => Promise<() => void>;
  onError?: (error: unknown) => void;
  signal: AbortSignal;
}
