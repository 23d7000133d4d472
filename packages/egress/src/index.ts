export { type AddressReason, type BlockReason, EgressError, type EgressErrorCode } from './errors.js';
export { DEFAULT_EGRESS_SETTINGS, type EgressPolicy, type EgressSettings } from './policy.js';
export type { NetworkRecord } from './record.js';
export type { Egress, EgressRequest, EgressResponse, EgressResult, EgressStream } from './request.js';
