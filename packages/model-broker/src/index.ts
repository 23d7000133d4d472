export { ModelBroker } from './broker/broker.js';
export { type RawModelReply, readModelReply } from './broker/read-reply.js';
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
export { parsedJson } from './wires/json.js';
export type { WireMessage, WireReply } from './wires/wire.js';
