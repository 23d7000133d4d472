import type { ProblemSeverity } from '@agentclash/domain';
/**
 * The one table of error codes with HTTP status and retryability, from which the bus (ack, nak, term), the gateway's
 * problem documents and the command line's exit codes derive.
 */
export const ERRORS = {
  unreadable: { http: 400, retry: false, title: 'The request could not be parsed' },
  unauthenticated: { http: 401, retry: false, title: 'A valid token is required' },
  forbidden: { http: 403, retry: false, title: 'The token lacks the required permission' },
  not_found: { http: 404, retry: false, title: 'The resource does not exist' },
  method_not_allowed: { http: 405, retry: false, title: 'The method is not allowed' },
  conflict: { http: 409, retry: false, title: 'The request conflicts with an existing resource' },
  version_exists: { http: 409, retry: false, title: 'The version was published with other content' },
  pack_metadata_conflict: { http: 409, retry: false, title: 'The pack exists under another name or family' },
  version_archived: { http: 409, retry: false, title: 'An archived version starts no runs' },
  audit_required: { http: 409, retry: false, title: 'The workspace runs audited versions only' },
  idempotency_key_reused: {
    http: 409,
    retry: false,
    title: 'The idempotency key was used for another request',
  },
  artifact_in_use: { http: 409, retry: false, title: 'The artifact is referenced' },
  storage_full: { http: 409, retry: false, title: 'The storage quota of the workspace is exhausted' },
  lease_lost: { http: 409, retry: false, title: 'Another delivery owns this attempt' },
  too_large: { http: 413, retry: false, title: 'The request is too large' },
  unsupported_media_type: { http: 415, retry: false, title: 'The media type is not supported' },
  invalid_input: { http: 422, retry: false, title: 'The request is not valid' },
  invalid_pack: { http: 422, retry: false, title: 'The challenge pack is not valid' },
  input_set_required: { http: 422, retry: false, title: 'The version has several input sets: choose one' },
  deployments_required: {
    http: 422,
    retry: false,
    title: 'The version has no default lineup: name the deployments to race',
  },
  no_input_sets: { http: 422, retry: false, title: 'The version has no input set to run' },
  unsupported_capability: {
    http: 422,
    retry: false,
    title: 'The pack requires a capability that this installation lacks',
  },
  incompatible_deployment: { http: 422, retry: false, title: 'The deployment cannot run this pack' },
  provider_account_required: {
    http: 422,
    retry: false,
    title: 'A model requires a provider account that the workspace does not have',
  },
  price_unknown: { http: 422, retry: false, title: 'A cost limit requires the price of every model' },
  missing_secret: { http: 422, retry: false, title: 'A secret that the run requires is not set' },
  secret_too_short: { http: 422, retry: false, title: 'A secret is too short to be redacted safely' },
  secret_not_granted: { http: 403, retry: false, title: 'The attempt is not allowed to read the secret' },
  rate_limited: { http: 429, retry: true, title: 'Too many requests' },
  /** A bug. Deliveries retry it: it may depend on the instance or the moment, and the number of deliveries is bounded. */
  internal: { http: 500, retry: true, title: 'Internal server error' },
  unavailable: { http: 503, retry: true, title: 'A service is unavailable' },
} as const satisfies Record<string, { http: number; retry: boolean; title: string }>;

export type ErrorCode = keyof typeof ERRORS;

export function isErrorCode(value: unknown): value is ErrorCode {
  return typeof value === 'string' && Object.hasOwn(ERRORS, value);
}

/** A problem in the input. `field` is a path into the input; line and column count from 1. */
export interface FieldProblem {
  code: string;
  field: string;
  message: string;
  severity?: ProblemSeverity;
  line?: number;
  column?: number;
  suggestion?: string;
}

export interface ErrorDetails {
  /** The problems behind an `invalid_input` or `invalid_pack`, all of them. */
  errors?: FieldProblem[];
  /** Facts for programs: the ids to choose from, the sections that changed. Never secrets, never internals. */
  [fact: string]: unknown;
}

/** An error with a code, meant for the caller. A bug is never one of these. */
export class ContractError extends Error {
  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly details: ErrorDetails = {},
    options?: { cause?: unknown },
  ) {
    super(message, options);
    this.name = 'ContractError';
  }

  get isRetryable(): boolean {
    return ERRORS[this.code].retry;
  }
}
