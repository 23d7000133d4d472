import { type BusEvent, ContractError, type Job, listenSubject, type Message } from '@agentclash/contracts';
import { AckPolicy, type ConsumerMessages, DeliverPolicy, type JsMsg } from '@nats-io/jetstream';
import { TimeoutError } from '@nats-io/transport-node';
import {
  BaseRpcContext,
  type CustomTransportStrategy,
  type MessageHandler,
  Server,
} from '@nestjs/microservices';
import { isObservable, lastValueFrom } from 'rxjs';
import type { BusConnection } from './connection.js';
import { codeOf, isLastDelivery, publishDeadLetter } from './dead-letter.js';
import { type HandledMessage, JETSTREAM } from './handles.js';
import type { ArrivalArgs } from './instrumentation.js';
import { type BusLogger, SILENT } from './logger.js';
import { awaitStreams, streamOf } from './streams.js';
import { envelopeOf } from './tail.js';
import { decode } from './wire.js';

/** Maximum of messages of one subject that an instance handles at once. */
export type Concurrency = number | ((message: Message) => number);

export interface JetStreamOptions {
  concurrency: Concurrency;
  logger?: BusLogger;
  /** Called for each dead letter, with the code of its last error. */
  onDeadLetter?: (message: Message, code: string) => void;
}

/** The depth of one consumer's queue. */
export interface QueueDepth {
  stream: string;
  consumer: string;
  /** Not delivered yet. */
  pending: number;
  /** Delivered, and neither acknowledged nor terminated. */
  unsettled: number;
}

/** Timeout of a start: until there are all streams and consumers. */
const START_MS_MAX = 30_000;
const EVENT_ACK_WAIT_MS = 30_000;
const FETCH_MS = 5_000;
const NS_PER_MS = 1_000_000;

/**
 * Jobs and durable events as a Nest transport: one durable pull consumer per service and subject, shared by its
 * instances. It fetches only as many messages as it has free slots, extends the ack wait while the handler runs, and
 * settles by the error table: ack; nak with a delay when a retry may succeed; term when it cannot.
 */
export class JetStreamServer extends Server implements CustomTransportStrategy {
  override readonly transportId = JETSTREAM;
  /** Nest rethrows handler errors to this transport, which settles the message by them. */
  override readonly propagatesEventHandlerErrors = true;
  private readonly log: BusLogger;
  private readonly fetching = new Set<ConsumerMessages>();
  private readonly loops: Promise<void>[] = [];
  private readonly consumers: { stream: string; durable: string }[] = [];
  private readonly running = new Set<Promise<void>>();
  private isClosing = false;

  constructor(
    private readonly connection: BusConnection,
    private readonly options: JetStreamOptions,
  ) {
    super();
    this.log = options.logger ?? SILENT;
  }

  async listen(callback: (error?: unknown) => void): Promise<void> {
    try {
      if (this.messageHandlers.size > 0) {
        const deadline = Date.now() + START_MS_MAX;
        await awaitStreams(() => this.connection.jetstreamManager(), deadline);
        for (const handler of this.messageHandlers.values()) await this.startConsumer(handler, deadline);
      }
      callback();
    } catch (error) {
      callback(error);
    }
  }

  /** Stops fetching and waits for the running handlers. */
  async close(): Promise<void> {
    this.isClosing = true;
    for (const messages of this.fetching) messages.stop();
    await Promise.allSettled(this.loops);
    while (this.running.size > 0) await Promise.allSettled(this.running);
  }

  /** Queries the server for the depth of each queue. */
  async queues(): Promise<QueueDepth[]> {
    const manager = await this.connection.jetstreamManager();
    return await Promise.all(
      this.consumers.map(async ({ stream, durable: consumer }) => {
        const { num_pending: pending, num_ack_pending: unsettled } = await manager.consumers.info(
          stream,
          consumer,
        );
        return { stream, consumer, pending, unsettled };
      }),
    );
  }

  on(): void {
    throw new Error('the JetStream transport emits no events');
  }

  unwrap<T>(): T {
    return this.connection.jetstream as T;
  }

  private async startConsumer(handler: MessageHandler, deadline: number): Promise<void> {
    const { message } = handler.extras as HandledMessage;
    const stream = streamOf(message);
    const durable = durableName(this.connection.name, message.subject);
    const job = message.kind === 'job' ? message : undefined;
    const config = {
      durable_name: durable,
      filter_subject: listenSubject(message),
      ack_policy: AckPolicy.Explicit,
      ack_wait: (job?.ackWaitMs ?? EVENT_ACK_WAIT_MS) * NS_PER_MS,
      deliver_policy: DeliverPolicy.All,
      max_deliver: job?.deliveriesMax ?? -1,
      max_ack_pending: 10_000,
    };
    await repeatUntilReplied(deadline, async () => {
      const manager = await this.connection.jetstreamManager();
      await manager.consumers.add(stream, config);
    });
    this.consumers.push({ stream, durable });
    this.loops.push(this.consume(stream, durable, handler));
  }

  private async consume(stream: string, durable: string, handler: MessageHandler): Promise<void> {
    const inFlight = new Set<Promise<void>>();
    const concurrency = this.concurrencyOf(handler);
    while (!this.isClosing) {
      try {
        if (inFlight.size >= concurrency) {
          await Promise.race(inFlight);
          continue;
        }
        const consumer = await this.connection.jetstream.consumers.get(stream, durable);
        const free = concurrency - inFlight.size;
        const messages = await consumer.fetch({ max_messages: free, expires: FETCH_MS });
        this.fetching.add(messages);
        for await (const message of messages) {
          const work = this.work(message, handler);
          inFlight.add(work);
          this.running.add(work);
          void work.finally(() => {
            inFlight.delete(work);
            this.running.delete(work);
          });
        }
        this.fetching.delete(messages);
      } catch (error) {
        if (this.isClosing) return;
        this.log.warn({ durable, err: error }, 'fetch failed, retrying');
        await new Promise((resolve) => setTimeout(resolve, 500));
      }
    }
  }

  private concurrencyOf(handler: MessageHandler): number {
    const { concurrency } = this.options;
    return typeof concurrency === 'number'
      ? concurrency
      : concurrency((handler.extras as HandledMessage).message);
  }

  private async work(message: JsMsg, handler: MessageHandler): Promise<void> {
    const { message: contract } = handler.extras as HandledMessage;
    const job = contract.kind === 'job' ? contract : undefined;
    const ackWaitMs = job?.ackWaitMs ?? EVENT_ACK_WAIT_MS;
    const keepAlive = setInterval(() => message.working(), ackWaitMs / 3);
    try {
      const input = job?.isExternal ? envelopeOf(job, message) : decode(message.data);
      const result = await handler(input, new BaseRpcContext(argsOf(message)));
      if (isObservable(result)) await lastValueFrom(result, { defaultValue: undefined });
      message.ack();
    } catch (error) {
      this.settleFailure(message, contract as Job | BusEvent, error);
    } finally {
      clearInterval(keepAlive);
    }
  }

  private settleFailure(message: JsMsg, contract: Job | BusEvent, error: unknown): void {
    const mayRetry = !(error instanceof ContractError) || error.isRetryable;
    const deliveries = message.info.deliveryCount;
    if (mayRetry && !isLastDelivery(contract, deliveries, error)) {
      message.nak(Math.min(30_000, 250 * 2 ** Math.min(deliveries, 10)));
      return;
    }
    this.log.error({ subject: message.subject, deliveries, err: error }, 'message is a dead letter');
    message.term();
    this.options.onDeadLetter?.(contract, codeOf(error));
    publishDeadLetter(this.connection, message, error).catch((err: unknown) => {
      this.log.error({ subject: message.subject, err }, 'dead letter not published');
    });
  }
}

/** A negative wait (this clock is behind the server's) counts as none. */
function argsOf({ subject, headers, info }: JsMsg): ArrivalArgs {
  return [subject, headers, Math.max(0, Date.now() - info.timestampNanos / NS_PER_MS)];
}

/** The name of a service's durable consumer on a subject. */
export function durableName(service: string, subject: string): string {
  return `${service}-${subject.replaceAll('.', '_')}`;
}

/** Repeats an idempotent call that a busy server did not reply to in time, until the deadline (epoch ms). */
async function repeatUntilReplied(deadline: number, call: () => Promise<void>): Promise<void> {
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof TimeoutError) || Date.now() > deadline) throw error;
    }
  }
}
