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
import { readMessage } from './message.pipe.js';
import { type BusWatch, natsHeaders } from './watch.js';
import { decode, encode, replyValue } from './wire.js';

const RETRY_PAUSE_MS = 50;

interface Request {
  subject: string;
  payload: Uint8Array;
  headers: Record<string, string>;
  timeoutMs: number;
}

/** The typed client: every message is sent by its declaration. */
export class Bus {
  constructor(
    private readonly connection: BusConnection,
    private readonly watch?: BusWatch,
  ) {}

  /**
   * Asks and waits for the answer. Fails with the callee's error, or `unavailable` when nobody answers in time; while
   * nobody listens at all the request was not delivered, so it is tried again for a moment.
   */
  async call<R extends Rpc>(
    message: R,
    input: R['input']['_zod']['input'],
    timeoutMs = message.timeoutMs,
  ): Promise<Out<R>> {
    const payload = encode(readMessage(message, input));
    const subject = sendSubject(message, input as In<R>);
    return await this.along(message, async (headers) => {
      const reply = await this.request(message, { subject, payload, headers, timeoutMs });
      return replyValue(decode(reply.data)) as Out<R>;
    });
  }

  private async request(message: Rpc, { subject, payload, headers, timeoutMs }: Request): Promise<Msg> {
    const deadline = Date.now() + timeoutMs;
    const patienceUntil = Date.now() + Math.min(timeoutMs, 2_000);
    for (;;) {
      try {
        const timeout = Math.max(1, deadline - Date.now());
        return await this.connection.nats.request(subject, payload, { timeout, ...natsHeaders(headers) });
      } catch (error) {
        if (!isNoResponder(error)) throw asUnavailable(error, message);
        if (Date.now() > patienceUntil) throw asUnavailable(error, message);
        await new Promise((resolve) => setTimeout(resolve, RETRY_PAUSE_MS));
      }
    }
  }

  /** Hands out work. `id` is deterministic, so that a repeat within two minutes is dropped by the stream. */
  async send<J extends Job>(message: J, input: In<J>, id: string): Promise<void> {
    await this.store(message, input, id);
  }

  /** Says what happened. `id` as for `send`. Stored when this resolves. */
  async publish<E extends BusEvent>(message: E, input: In<E>, id: string): Promise<void> {
    await this.store(message, input, id);
  }

  /** Says what is happening. Kept by nobody, and dropped while the server is away. */
  say<L extends Live>(message: L, input: In<L>): void {
    if (!this.connection.isConnected) return;
    this.connection.nats.publish(sendSubject(message, input), encode(input));
  }

  /** Hears what is said under one tail until the returned function is called. What has another shape is dropped. */
  listen<L extends Live>(message: L, tail: string, hear: (said: In<L>) => void): () => void {
    const subject = listenSubject(message).replace('*', tail);
    const callback = (_error: Error | null, { data }: Msg) => {
      const said = message.input.safeParse(jsonIn(data));
      if (said.success) hear(said.data as In<L>);
    };
    const subscription = this.connection.nats.subscribe(subject, { callback });
    return () => subscription.unsubscribe();
  }

  private async store(message: Job | BusEvent, input: unknown, msgID: string): Promise<void> {
    const subject = sendSubject(message, input);
    const payload = encode(readMessage(message, input));
    await this.along(message, async (headers) => {
      try {
        await this.connection.jetstream.publish(subject, payload, { msgID, ...natsHeaders(headers) });
      } catch (error) {
        throw asUnavailable(error, message);
      }
    });
  }

  private async along<T>(
    message: Message,
    send: (headers: Record<string, string>) => Promise<T>,
  ): Promise<T> {
    return this.watch === undefined ? await send({}) : await this.watch.outgoing(message, send);
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
  const why = error instanceof TimeoutError ? 'did not answer in time' : 'is away';
  return new ContractError(
    'unavailable',
    `The service behind "${owner}" ${why}. Try again shortly.`,
    {},
    { cause: error },
  );
}
