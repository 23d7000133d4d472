/** Why a URL or an address is refused; the word after `egress_blocked:`. */
export type BlockReason =
  | 'invalid_url'
  | 'scheme'
  | 'host'
  | 'userinfo'
  | 'port'
  | 'metadata'
  | 'operator_denied'
  | 'invalid_allowlist'
  | 'not_allowlisted'
  | 'bytes_limit'
  | 'requests_limit'
  | AddressReason;

/** The special-purpose ranges of the address table. */
export type AddressReason =
  | 'private'
  | 'loopback'
  | 'link_local'
  | 'shared'
  | 'site_local'
  | 'benchmarking'
  | 'documentation'
  | 'protocol'
  | 'discard'
  | 'reserved'
  | 'transition'
  | 'unspecified'
  | 'multicast'
  | 'broadcast';

const SENTENCES = {
  egress_blocked: 'the policy does not admit this address',
  method_not_allowed: 'this method is not allowed',
  header_invalid: 'a header has a name or value that cannot be sent, or is duplicated',
  header_not_allowed: 'a header is set by the client itself and cannot be given',
  headers_too_large: 'more than 64 headers or 16 KiB of them',
  body_too_large: 'the request body is too large',
  body_not_allowed: 'GET and HEAD carry no body',
  too_many_redirects: 'more than 5 redirects',
  redirect_downgrade: 'a redirect leads from https to http',
  redirect_secret_body: 'a redirect would carry a secret body to another origin',
  secret_host_denied: 'a secret of this request may not go to this host',
  response_too_large: 'the response is larger than allowed',
  response_failed: 'the response broke off or is not valid HTTP',
  timeout: 'the deadline passed',
  aborted: 'the request was aborted by its caller',
  dns_failed: 'the host name has no usable address',
  connect_failed: 'no connection could be made',
  tls_failed: 'no trusted TLS connection could be made',
} as const;

export type EgressErrorCode = keyof typeof SENTENCES;

/**
 * A request that was refused or did not succeed. Its text is ours alone: never an address, a resolver's or a driver's
 * words, so it may be shown to agents and users.
 */
export class EgressError extends Error {
  override readonly name = 'EgressError';
  /** Set with `egress_blocked`. */
  readonly reason: BlockReason | undefined;
  /** The offending header, with the `header_…` codes. */
  readonly header: string | undefined;
  /** The origin of the request, with `secret_host_denied`; undefined where a redirect leads to another one. */
  readonly origin: string | undefined;

  constructor(
    readonly code: EgressErrorCode,
    details: { reason?: BlockReason; header?: string; origin?: string } = {},
  ) {
    super(`${code}: ${details.reason ?? SENTENCES[code]}`);
    this.reason = details.reason;
    this.header = details.header;
    this.origin = details.origin;
  }
}
