import { isRecord, listOf, numberIn, type Payload, recordIn, recordsIn, textIn } from '@agentclash/domain';

/**
 * States of a task of A2A 0.3. `open`: the agent works. `paused`: it expects the next message. `failed`: it ended
 * without an output.
 */
const TASK_STATES = {
  submitted: 'open',
  working: 'open',
  'input-required': 'paused',
  completed: 'completed',
  failed: 'failed',
  rejected: 'failed',
  canceled: 'failed',
  'auth-required': 'failed',
  unknown: 'failed',
} as const;
type TaskState = keyof typeof TASK_STATES;
type TaskPhase = (typeof TASK_STATES)[TaskState];

/** `requestId`: the id of the request to which the agent replies. */
export type A2aReply =
  | { kind: 'message'; requestId: string; text: string; contextId?: string }
  | {
      kind: 'task';
      requestId: string;
      id: string;
      state: TaskState;
      phase: TaskPhase;
      text: string;
      contextId?: string;
    }
  | { kind: 'error'; code: number; message: string };

/** Longer ids are refused: they return with every request. */
const ID_LENGTH_MAX = 1_024;

/** Reads a response of JSON-RPC with a message or a task of A2A 0.3; undefined when it is none. Pure. */
export function readA2aReply(value: unknown): A2aReply | undefined {
  if (!isRecord(value) || value.jsonrpc !== '2.0') return undefined;
  const error = recordIn(value, 'error');
  if (error) return readError(error);
  const result = recordIn(value, 'result');
  const requestId = idIn(value, 'id');
  if (requestId === undefined || result === undefined) return undefined;
  return recordIn(result, 'status') ? readTask(result, requestId) : readMessage(result, requestId);
}

function readError(error: Payload): A2aReply | undefined {
  const code = numberIn(error, 'code');
  return code === undefined ? undefined : { kind: 'error', code, message: textIn(error, 'message') ?? '' };
}

function readMessage(message: Payload, requestId: string): A2aReply | undefined {
  if (!isOfKind(message, 'message') || !Array.isArray(message.parts)) return undefined;
  return { kind: 'message', requestId, text: textOfParts(message.parts), ...contextOf(message) };
}

function readTask(task: Payload, requestId: string): A2aReply | undefined {
  const id = idIn(task, 'id');
  const status = recordIn(task, 'status') ?? {};
  const state = textIn(status, 'state');
  if (!isOfKind(task, 'task') || id === undefined || !isTaskState(state)) return undefined;
  const phase = TASK_STATES[state];
  const texts = [statusText(status), lastAgentText(task)];
  if (phase === 'completed') texts.unshift(artifactsText(task));
  else texts.push(artifactsText(task));
  const text = texts.find((each) => each.trim() !== '') ?? '';
  return { kind: 'task', requestId, id, state, phase, text, ...contextOf(task) };
}

function isOfKind({ kind }: Payload, expected: string): boolean {
  return kind === undefined || kind === expected;
}

function isTaskState(state: string | undefined): state is TaskState {
  return state !== undefined && Object.hasOwn(TASK_STATES, state);
}

function contextOf(payload: Payload): { contextId?: string } {
  const contextId = idIn(payload, 'contextId');
  return contextId === undefined ? {} : { contextId };
}

function idIn(payload: Payload, name: string): string | undefined {
  const id = textIn(payload, name);
  return id !== undefined && id !== '' && id.length <= ID_LENGTH_MAX ? id : undefined;
}

function statusText(status: Payload): string {
  return textOfParts(recordIn(status, 'message')?.parts);
}

function artifactsText(task: Payload): string {
  return textOfParts(recordsIn(task, 'artifacts').flatMap(({ parts }) => listOf(parts)));
}

function lastAgentText(task: Payload): string {
  return textOfParts(recordsIn(task, 'history').findLast(({ role }) => role === 'agent')?.parts);
}

/** Texts and data of parts, in order, with line breaks between them; files are left out. */
function textOfParts(parts: unknown): string {
  const texts = listOf(parts).filter(isRecord).map(textOfPart);
  return texts.filter((text) => text !== undefined).join('\n');
}

function textOfPart(part: Payload): string | undefined {
  return textIn(part, 'text') ?? (part.data === undefined ? undefined : JSON.stringify(part.data));
}
