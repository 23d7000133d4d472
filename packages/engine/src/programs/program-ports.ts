import type { ModelConnection } from '@agentclash/attempt-plan';
import type {
  McpMessage,
  PreparedCall,
  RawCall,
  RawModelReply,
  RefusedCall,
  WireReply,
} from '@agentclash/model-broker';
import type { ForwardingModel } from '@agentclash/models';

/** The ports of the broker of programs. */
export interface BrokerPorts {
  /** Opens a model that a program calls through the broker; without it, such attempts end as `unsupported`. */
  openProgramModel?: (connection: ModelConnection) => ForwardingModel;
  /** Reads the requests of programs, off the shared threads; default: on this thread. */
  prepareCalls?: (call: RawCall, signal: AbortSignal) => Promise<PreparedCall | RefusedCall>;
  /** Reads the replies to programs, off the shared threads, or finds one too large; default: on this thread. */
  readModelReplies?: (reply: RawModelReply, signal: AbortSignal) => Promise<WireReply | 'too_large'>;
  /** Reads the messages of programs to their tools, off the shared threads; default: on this thread. */
  readMessages?: (body: Uint8Array, signal: AbortSignal) => Promise<McpMessage>;
}
