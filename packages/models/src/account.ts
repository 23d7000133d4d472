import type { Pricing } from '@agentclash/challengepack';

/** A plaintext that opens an account; the engine's `Secret` is one. */
export interface Credential {
  reveal(): string;
  /** Names or globs of the hosts it may go to; empty means any. */
  readonly hosts: readonly string[];
}

/** A provider account as a call needs it. */
export interface ModelAccount {
  id: string;
  /** A key of `MODEL_PROVIDERS` or an alias of one (`gemini`, `custom`). */
  providerKey: string;
  /** Where its API begins, version included (`https://host/v1`). Without it the provider's own address. */
  baseUrl?: string;
  /** Asked once per try, at the moment of use. Absent where the account names no credential. */
  openCredential?: (signal: AbortSignal) => Promise<Credential>;
  pricing?: Pricing;
}

/** How a model draws its tokens; what a provider does not know is left out. */
export interface Sampling {
  temperature?: number;
  top_p?: number;
  max_output_tokens?: number;
  reasoning_effort?: string;
  seed?: number;
}
