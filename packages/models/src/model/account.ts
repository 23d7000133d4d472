import type { Pricing } from '@agentclash/challengepack';

/** A plaintext that opens an account; the engine's `Secret` is one. */
export interface Credential {
  /** The name of the secret. */
  readonly key?: string;
  reveal(): string;
  /** Where it may go, as `scheme://host:port` with wildcards; null means anywhere. */
  readonly origins: readonly string[] | null;
}

/** The part of a provider account that a call needs. */
export interface ModelAccount {
  id: string;
  /** A key of `MODEL_PROVIDERS` or an alias of one (`gemini`, `custom`). */
  providerKey: string;
  /** The base URL of its API, with the version (`https://host/v1`). Default: the provider's own. */
  baseUrl?: string;
  /** Called once per try, immediately before use. Absent where the account names no credential. */
  openCredential?: (signal: AbortSignal) => Promise<Credential>;
  pricing?: Pricing;
}

/** Sampling parameters; those that a provider does not support are omitted. */
export interface Sampling {
  temperature?: number;
  top_p?: number;
  max_output_tokens?: number;
  reasoning_effort?: string;
  seed?: number;
}
