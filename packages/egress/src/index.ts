export { type GuardedFetchOptions, guardedFetch } from './client/fetch.js';
export { type CheckedRequest, checkHttpRequest, type HttpRequestParts } from './client/http-request.js';
export { CREDENTIAL_HEADERS } from './client/redirect.js';
export type { Egress, EgressRequest, EgressResponse, EgressResult, EgressStream } from './client/request.js';
export type { Hop, Transport, TransportResponse } from './client/transport.js';
export { createEgress, type EgressOptions } from './egress.js';
export { type AddressReason, type BlockReason, EgressError, type EgressErrorCode } from './guard/errors.js';
export { DEFAULT_EGRESS_SETTINGS, type EgressPolicy, type EgressSettings } from './guard/policy.js';
export type { NetworkRecord } from './guard/record.js';
export type { Resolve } from './guard/resolve.js';
export { type EgressEnvironment, parseEgressSettings } from './guard/settings.js';
export { checkUrl, type UrlCheckOptions, type UrlViolation, type Verdict } from './guard/url-check.js';
export type {
  EgressProxy,
  EgressProxyLimits,
  EgressProxyOptions,
  OutgoingRequest,
  ProxyConnection,
} from './proxy/proxy.js';
