import { numberIn, type Payload, recordIn, recordOf, recordsIn, textIn } from '@agentclash/domain';
import { linesOf, type RpcError, type RpcId, readRpcMessage } from './rpc-message.js';

/** The members of results that the platform uses. */
export interface AcpResult {
  protocolVersion: number | undefined;
  /** The agent reaches servers of tools over HTTP. */
  hasHttp: boolean;
  sessionId: string | undefined;
  stopReason: string | undefined;
}

export interface AcpUpdate {
  sessionId: string | undefined;
  /** `tool_call` ends a message; a `text` continues it. */
  update: 'tool_call' | { text: string };
}

/** A message of an agent, without the members that the platform does not use: small, whatever the agent sends. */
export type AcpMessage =
  | ({ kind: 'result'; id: number } & AcpResult)
  | RpcError
  /** `result` is undefined for a method that is not offered. */
  | { kind: 'request'; id: RpcId; result: object | undefined }
  | ({ kind: 'update' } & AcpUpdate);

/** Reads messages of the Agent Client Protocol, one a line. Lines that are none are left out. Pure. */
export function readAcpLines(bytes: Uint8Array): AcpMessage[] {
  const messages: AcpMessage[] = [];
  // One after the other: an array of the lines of 4 MiB takes more memory than a thread has.
  for (const line of linesOf(bytes)) {
    const message = readAcpMessage(line);
    if (message !== undefined) messages.push(message);
  }
  return messages;
}

function readAcpMessage(line: Uint8Array): AcpMessage | undefined {
  const message = readRpcMessage(line);
  switch (message?.kind) {
    case 'result':
      return { kind: 'result', id: message.id, ...resultOf(recordOf(message.result)) };
    case 'request': {
      const isOffered = message.method === 'session/request_permission';
      const result = isOffered ? grantedPermission(message.params) : undefined;
      return { kind: 'request', id: message.id, result };
    }
    case 'notification':
      return message.method === 'session/update' ? updateOf(message.params) : undefined;
    default:
      return message;
  }
}

function resultOf(result: Payload): AcpResult {
  const capabilities = recordIn(recordOf(result.agentCapabilities), 'mcpCapabilities');
  return {
    protocolVersion: numberIn(result, 'protocolVersion'),
    hasHttp: capabilities?.http === true,
    sessionId: textIn(result, 'sessionId'),
    stopReason: textIn(result, 'stopReason'),
  };
}

function updateOf(params: Payload): AcpMessage | undefined {
  const update = recordOf(params.update);
  const sessionId = textIn(params, 'sessionId');
  const kind = textIn(update, 'sessionUpdate');
  if (kind === 'tool_call') return { kind: 'update', sessionId, update: kind };
  if (kind !== 'agent_message_chunk') return undefined;
  return { kind: 'update', sessionId, update: { text: textIn(recordOf(update.content), 'text') ?? '' } };
}

const ALLOWING = ['allow_once', 'allow_always'];

/** The response to a request for a permission: the sandbox is the limit of an agent, not its own requests. */
export function grantedPermission(params: Payload): object {
  const options = recordsIn(params, 'options');
  const granted = ALLOWING.flatMap((kind) => options.filter((option) => option.kind === kind));
  const optionId = granted.map((option) => textIn(option, 'optionId')).find((id) => id !== undefined);
  return { outcome: optionId === undefined ? { outcome: 'cancelled' } : { outcome: 'selected', optionId } };
}
