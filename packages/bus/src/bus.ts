import {
  type BusEvent,
  ContractError,
  type In,
  type Job,
  type Live,
  listenSubject,
  type Message,
  type Out,
  type Rpc,
  sendSubject,
} from '@agentclash/contracts';
import { type Msg, NoRespondersError, RequestError, TimeoutError } from '@nats-io/transport-node';
import type { BusConnection } from './connection.js';
import { type BusInstrumentation, natsHeaders } from './instrumentation.js';
import { parseMessage } from './message.pipe.js';
import { decode, encode, replyValue } from './wire.js';

const RETRY_PAUSE_MS = 50;
const NO_RESPONDER_RETRY_MS_MAX = 2_000;

interface Request {
  subject: string;
  payload: Uint8Array;
  headers: Record<string, string>;
  timeoutMs: number;
}

/** The typed client of the bus: messages are sent by their declarations. */
export class Bus {
  constructor(
    private readonly connection: BusConnection,
    private readonly instrumentation?: BusInstrumentation,
  ) {}

  /**
   * Sends a request and waits for the reply. Fails with the callee's error, or with `unavailable` when no reply arrives
   * in time. Without any responder the request was not delivered, so it is retried for up to 2 s.
   */
  async call<R extends Rpc>(
    message: R,
    input: R['input']['_zod']['input'],
    timeoutMs = message.timeoutMs,
  ): Promise<Out<R>> {
    const payload = encode(parseMessage(message, input));
    const subject = sendSubject(message, input as In<R>);
    return await this.instrument(message, async (headers) => {
      const reply = await this.request(message, { subject, payload, headers, timeoutMs });
      return replyValue(decode(reply.data)) as Out<R>;
    });
  }

  private async request(message: Rpc, { subject, payload, headers, timeoutMs }: Request): Promise<Msg> {
    const deadline = Date.now() + timeoutMs;
    const retryUntil = Date.now() + Math.min(timeoutMs, NO_RESPONDER_RETRY_MS_MAX);
    for (;;) {
      try {
        const timeout = Math.max(1, deadline - Date.now());
        return await this.connection.nats.request(subject, payload, { timeout, ...natsHeaders(headers) });
      } catch (error) {
        if (!isNoResponder(error)) throw asUnavailable(error, message);
        if (Date.now() > retryUntil) throw asUnavailable(error, message);
        await new Promise((resolve) => setTimeout(resolve, RETRY_PAUSE_MS));
      }
    }
  }

  /** Enqueues a job. `id` is deterministic, so that the stream drops a duplicate within two minutes. */
  async send<J extends Job>(message: J, input: In<J>, id: string): Promise<void> {
    await this.store(message, input, id);
  }

  /** Publishes a stored event. `id` as for `send`. Stored when this resolves. */
  async publish<E extends BusEvent>(message: E, input: In<E>, id: string): Promise<void> {
    await this.store(message, input, id);
  }

  /** Publishes a live event, which no stream stores; dropped while the bus is disconnected. */
  publishLive<L extends Live>(message: L, input: In<L>): void {
    if (!this.connection.isConnected) return;
    this.connection.nats.publish(sendSubject(message, input), encode(input));
  }

  /** Subscribes to the live events of one tail until the returned function is called. Invalid events are dropped. */
  listen<L extends Live>(message: L, tail: string, handle: (event: In<L>) => void): () => void {
    const subject = listenSubject(message).replace('*', tail);
    const callback = (_error: Error | null, { data }: Msg) => {
      const parsed = message.input.safeParse(jsonIn(data));
      if (parsed.success) handle(parsed.data as In<L>);
    };
    const subscription = this.connection.nats.subscribe(subject, { callback });
    return () => subscription.unsubscribe();
  }

  private async store(message: Job | BusEvent, input: unknown, msgID: string): Promise<void> {
    const subject = sendSubject(message, input);
    const payload = encode(parseMessage(message, input));
    await this.instrument(message, async (headers) => {
      try {
        await this.connection.jetstream.publish(subject, payload, { msgID, ...natsHeaders(headers) });
      } catch (error) {
        throw asUnavailable(error, message);
      }
    });
  }

  private async instrument<T>(
    message: Message,
    send: (headers: Record<string, string>) => Promise<T>,
  ): Promise<T> {
    return this.instrumentation === undefined
      ? await send({})
      : await this.instrumentation.outgoing(message, send);
  }
}

function jsonIn(data: Uint8Array): unknown {
  try {
    return decode(data);
  } catch {
    return undefined;
  }
}

function isNoResponder(error: unknown): boolean {
  return error instanceof NoRespondersError || (error instanceof RequestError && error.isNoResponders());
}

function asUnavailable(error: unknown, message: Message): unknown {
  if (error instanceof ContractError) return error;
  const owner = message.subject.split('.')[1] ?? message.subject;
  const why = error instanceof TimeoutError ? 'did not reply in time' : 'is unavailable';
  return new ContractError(
    'unavailable',
    `The service behind "${owner}" ${why}. Try again shortly.`,
    {},
    { cause: error },
  );
}
