export interface BrokerLimits {
  /** Of one request. */
  requestBytesMax: number;
  /** Of one reply of the provider. */
  replyBytesMax: number;
  /** Calls of one attempt under way; further ones wait in their order. */
  callsAtOnce: number;
  /** Connections of one attempt; further ones are refused. */
  connectionsMax: number;
  /** Of one message to the tools. */
  messageBytesMax: number;
  /** Of the text of one tool result. */
  toolResultBytesMax: number;
  /** Tool calls of one attempt under way; further ones wait in their order. */
  toolCallsAtOnce: number;
}

export const BROKER_LIMITS: BrokerLimits = {
  requestBytesMax: 32 * 1024 * 1024,
  replyBytesMax: 16 * 1024 * 1024,
  callsAtOnce: 8,
  connectionsMax: 64,
  messageBytesMax: 1024 * 1024,
  toolResultBytesMax: 1024 * 1024,
  toolCallsAtOnce: 4,
};
