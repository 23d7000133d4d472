export { createEgress, type EgressOptions } from './egress.js';
export { type AddressReason, type BlockReason, EgressError, type EgressErrorCode } from './errors.js';
export { type GuardedFetchOptions, guardedFetch } from './fetch.js';
export { type CheckedRequest, checkHttpRequest, type HttpRequestParts } from './http-request.js';
export { DEFAULT_EGRESS_SETTINGS, type EgressPolicy, type EgressSettings } from './policy.js';
export type {
  EgressProxy,
  EgressProxyLimits,
  EgressProxyOptions,
  OutgoingRequest,
  ProxyConnection,
} from './proxy/proxy.js';
export type { NetworkRecord } from './record.js';
export { CREDENTIAL_HEADERS } from './redirect.js';
export type { Egress, EgressRequest, EgressResponse, EgressResult, EgressStream } from './request.js';
export type { Resolve } from './resolve.js';
export { type EgressEnvironment, parseEgressSettings } from './settings.js';
export type { Hop, Transport, TransportResponse } from './transport.js';
export { checkUrl, type Refusal, type UrlCheckOptions, type Verdict } from './url-check.js';
