export { ModelBroker } from './broker/broker.js';
export { parsedJson } from './json.js';
export { BROKER_LIMITS } from './limits.js';
export { type McpMessage, RPC_ERRORS, readMcpMessage } from './mcp/message.js';
export type { BrokerTools, ToolCallResult } from './mcp/tool-endpoint.js';
export { digestOf, type PartsForm, requestParts } from './neutral/request-parts.js';
export {
  type BrokerCall,
  type BrokerObserver,
  type CallEnd,
  type CallObserver,
  CallRefused,
} from './observer.js';
export { type PreparedCall, prepareCall, type RawCall, type RefusedCall } from './prepare.js';
export type { WireMessage, WireReply } from './wires/wire.js';
