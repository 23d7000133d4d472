import { randomUUID } from 'node:crypto';
import type { EndpointConfig, TaskDocument, Utterance } from '@agentclash/domain';
import { PROVIDER_FAILURES } from '@agentclash/models';
import { type AttemptEnd, shortText } from '../outcome/attempt-end.js';
import type { A2aReply } from '../replies/a2a-reply.js';
import { programPrompt } from '../task/task-document.js';
import { readAgentReply } from './agent-reply.js';
import type { DriverContext } from './driver.js';
import { type EndpointClient, endOfStatus, openEndpoint, retryAfterOf } from './endpoint-client.js';

const POLL_MS_MIN = 200;
const POLL_MS_MAX = 5_000;
const POLL_MS_FACTOR = 1.5;
/** Polls that may fail one after another before the agent counts as unreachable. */
const POLL_FAILURES_MAX = 5;
const CANCEL_MS = 2_000;
/** Messages of a task's history that are requested: its last one may be the output. */
const HISTORY_LENGTH = 10;

type Part = { kind: 'text'; text: string } | { kind: 'data'; data: object };
type Task = Extract<A2aReply, { kind: 'task' }>;
type Method = 'message/send' | 'tasks/get' | 'tasks/cancel';

/** The ids of a conversation with an agent. */
export interface A2aMemory {
  context_id?: string;
  /** A task that expects the next message. */
  task_id?: string;
}

/** A remote agent behind A2A 0.3 by JSON-RPC. */
export class A2aAgent {
  /** A task that has not ended. */
  private taskId: string | undefined;
  private contextId: string | undefined;
  private client: EndpointClient | undefined;

  constructor(
    private readonly config: EndpointConfig,
    private readonly context: DriverContext,
    memory: A2aMemory = {},
  ) {
    this.contextId = memory.context_id;
    this.taskId = memory.task_id;
  }

  get memory(): A2aMemory {
    return {
      ...(this.contextId !== undefined && { context_id: this.contextId }),
      ...(this.taskId !== undefined && { task_id: this.taskId }),
    };
  }

  /** Throws AttemptEnded at the time limit or when the attempt was cancelled. */
  solve(task: TaskDocument): Promise<AttemptEnd> {
    return this.send([
      { kind: 'text', text: programPrompt(task) },
      { kind: 'data', data: task },
    ]);
  }

  /** One turn of a conversation. An agent without a context receives the whole task and transcript in every turn. */
  takeTurn(message: string, transcript: readonly Utterance[]): Promise<AttemptEnd> {
    const text: Part = { kind: 'text', text: message };
    if (this.contextId !== undefined) return this.send([text]);
    const { task } = this.context;
    const data = { ...task, transcript: [...transcript] };
    return this.send([{ kind: 'text', text: programPrompt(task) }, text, { kind: 'data', data }]);
  }

  /** Requests the end of a task that has not ended. Never rejects. */
  async cancel(): Promise<void> {
    const id = this.taskId;
    if (id === undefined) return;
    this.taskId = undefined;
    const limits = { signal: AbortSignal.timeout(CANCEL_MS), timeoutMs: CANCEL_MS };
    const { stage } = this.context;
    await stage
      .uncounted(async () => {
        const client = this.client ?? (await openEndpoint(this.config, this.context));
        await client.post(requestOf('tasks/cancel', { id }), limits);
      })
      .catch(() => undefined);
  }

  private async send(parts: Part[]): Promise<AttemptEnd> {
    this.client = await openEndpoint(this.config, this.context);
    const message = {
      kind: 'message',
      role: 'user',
      messageId: randomUUID(),
      parts,
      ...(this.contextId !== undefined && { contextId: this.contextId }),
      ...(this.taskId !== undefined && { taskId: this.taskId }),
    };
    const configuration = {
      acceptedOutputModes: ['text/plain', 'application/json'],
      historyLength: HISTORY_LENGTH,
      // A task that is known can be cancelled, and no connection is held open while the agent works.
      blocking: false,
    };
    const reply = await this.call(this.client, 'message/send', { message, configuration });
    if ('because' in reply) return reply;
    this.contextId = reply.contextId ?? this.contextId;
    if (reply.kind === 'task') return await this.untilEnd(this.client, reply);
    this.taskId = undefined;
    return this.completed(reply.text);
  }

  private async untilEnd(client: EndpointClient, first: Task): Promise<AttemptEnd> {
    let task = first;
    let waitMs = POLL_MS_MIN;
    let failures = 0;
    while (task.phase === 'open') {
      this.taskId = task.id;
      const polled = await this.poll(client, task.id, waitMs);
      waitMs = Math.min(waitMs * POLL_MS_FACTOR, POLL_MS_MAX);
      if (!('because' in polled)) {
        task = polled;
        failures = 0;
      } else if (!isTransient(polled) || ++failures >= POLL_FAILURES_MAX) return polled;
    }
    this.taskId = task.phase === 'paused' ? task.id : undefined;
    return task.phase === 'failed' ? this.failed(task) : this.completed(task.text);
  }

  private async poll(client: EndpointClient, id: string, waitMs: number): Promise<Task | AttemptEnd> {
    const { clock, stage } = this.context;
    await clock.sleep(Math.min(waitMs, Math.max(1, stage.remainingMs())), stage.signal);
    const reply = await this.call(client, 'tasks/get', { id, historyLength: HISTORY_LENGTH });
    if ('because' in reply) return reply;
    return reply.kind === 'task' && reply.id === id ? reply : MALFORMED;
  }

  private async call(
    client: EndpointClient,
    method: Method,
    params: object,
  ): Promise<Exclude<A2aReply, { kind: 'error' }> | AttemptEnd> {
    const request = requestOf(method, params);
    const sent = await client.post(request);
    if ('because' in sent) return sent;
    const { retryAfterSeconds } = retryAfterOf(sent, this.context.clock.now());
    const failed = endOfStatus(sent.status, retryAfterSeconds);
    if (failed) return withHint(failed, sent.status);
    if (sent.status < 200 || sent.status >= 300) return MALFORMED;
    const reply = await readAgentReply({ form: 'a2a', bytes: sent.body }, this.context);
    if (reply?.kind === 'error') return this.endOfError(reply);
    return reply?.requestId === request.id ? reply : MALFORMED;
  }

  private endOfError({ code, message }: Extract<A2aReply, { kind: 'error' }>): AttemptEnd {
    const text = this.quoted(message);
    if (code === INTERNAL_ERROR) {
      const sentence = `the agent reported an internal error (${code})${text}`;
      return { because: 'provider', class: 'unavailable', message: sentence };
    }
    const sentence = `the agent refused the task with the error ${code}${text}`;
    return { because: 'agent_error', code: 'endpoint_error', message: sentence };
  }

  private completed(text: string): AttemptEnd {
    const { history, plan } = this.context;
    const output = history.secrets.redact(text);
    if (output.trim() === '') return { because: 'agent_error', code: 'empty_output' };
    if (Buffer.byteLength(output) > plan.limits.max_output_bytes)
      return { because: 'limit', limit: 'output' };
    return { because: 'completed', finishedBy: 'endpoint', output };
  }

  private failed({ state, text }: Task): AttemptEnd {
    const message = `the task of the agent ended as ${state}${this.quoted(text)}`;
    return { because: 'agent_error', code: 'endpoint_error', message };
  }

  private quoted(text: string): string {
    const short = shortText(this.context.history.secrets.redact(text));
    return short && `: ${short}`;
  }
}

/** Of JSON-RPC: the server failed, not the task. */
const INTERNAL_ERROR = -32_603;

const MALFORMED: AttemptEnd = {
  because: 'agent_error',
  code: 'malformed_reply',
  message: 'the reply is no message or task of A2A 0.3',
};

function requestOf(method: Method, params: object) {
  return { jsonrpc: '2.0', id: randomUUID(), method, params };
}

function isTransient(end: AttemptEnd): boolean {
  return end.because === 'provider' && PROVIDER_FAILURES[end.class].retryable;
}

/** A wrong path is the likeliest cause of these. */
const WRONG_PATH: readonly number[] = [404, 405];

function withHint(end: AttemptEnd, status: number): AttemptEnd {
  if (end.because !== 'agent_error' || !WRONG_PATH.includes(status)) return end;
  const hint = 'config.url must be the url of its JSON-RPC interface, which its agent card names';
  return { ...end, message: `${end.message}: ${hint}` };
}
