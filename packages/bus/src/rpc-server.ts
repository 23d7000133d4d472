import { ContractError, listenSubject, type Message } from '@agentclash/contracts';
import type { Msg, NatsConnection, Subscription } from '@nats-io/transport-node';
import { NatsContext, ServerNats, type WritePacket } from '@nestjs/microservices';
import { type BusConnection, isInbox } from './connection.js';
import type { Delivery } from './handles.js';
import { checkTail } from './tail.js';
import { decode, encode, errorReply, type Reply } from './wire.js';

/**
 * Nest's NATS transport on the service's own connection, speaking plain JSON replies. Requests go to one instance of
 * the service (queue group); events bound with reach `each` go to all.
 */
export class RpcServer extends ServerNats {
  private readonly running = new Set<Promise<unknown>>();
  private readonly listening: Subscription[] = [];

  constructor(private readonly connection: BusConnection) {
    super({
      deserializer: {
        // Nest takes a message without an id for an event; the reply inbox is as good an id as any.
        deserialize: (message: Msg) => ({
          pattern: message.subject,
          data: decode(message.data),
          id: message.reply === '' ? undefined : message.reply,
        }),
      },
      serializer: {
        serialize: (packet: WritePacket) => ({
          data: this.bounded(
            packet.err === undefined ? { ok: true, data: packet.response } : errorReply(packet.err),
          ),
        }),
      },
    });
  }

  override async createNatsClient(): Promise<NatsConnection> {
    return this.connection.nats;
  }

  override bindEvents(client: NatsConnection): void {
    for (const [subject, handler] of this.messageHandlers) {
      const { message: contract, reach } = handler.extras as Delivery;
      const queue = reach === 'shared' ? { queue: this.connection.name } : {};
      const callback = (_error: Error | null, message: Msg) =>
        void this.track(
          contract.kind === 'rpc' ? this.answer(contract, message) : this.hear(subject, message),
        );
      this.listening.push(client.subscribe(subject, { ...queue, callback }));
    }
  }

  /** Takes no more requests and lets the running ones answer. The connection is the service's and stays open. */
  override async close(): Promise<void> {
    for (const subscription of this.listening.splice(0)) subscription.unsubscribe();
    while (this.running.size > 0) await Promise.allSettled(this.running);
  }

  /** A reply that the server does not carry would never arrive: the caller gets an error at once, not a timeout. */
  private bounded(reply: Reply): Uint8Array {
    const data = encode(reply);
    const bytesMax = this.connection.nats.info?.max_payload ?? Number.POSITIVE_INFINITY;
    if (data.length <= bytesMax) return data;
    this.handleError(`a reply of ${data.length} bytes is larger than the ${bytesMax} that the bus carries`);
    const message = `The reply is larger than the ${bytesMax} bytes of a message.`;
    return encode(errorReply(new ContractError('too_large', message)));
  }

  /** A reply goes to an inbox and nowhere else: else whoever asks could have us speak on subjects that only we may use. */
  private async answer(contract: Message, message: Msg): Promise<void> {
    const subject = listenSubject(contract);
    if (message.reply === undefined || !isInbox(message.reply)) {
      this.handleError(`a request on ${subject} names no inbox to answer to`);
      return;
    }
    try {
      if (contract.tail !== undefined) checkTail(contract, message.subject, decode(message.data));
      await this.handleMessage(subject, message);
    } catch (error) {
      message.respond(this.bounded(errorReply(error)));
      if (!(error instanceof ContractError)) this.handleError(String(error));
    }
  }

  /** A stored event carries its publisher's reply inbox, which waits for the stream's word, not for ours. */
  private async hear(subject: string, message: Msg): Promise<void> {
    try {
      await this.handleEvent(
        subject,
        { pattern: subject, data: decode(message.data) },
        new NatsContext([message.subject, message.headers]),
      );
    } catch (error) {
      this.handleError(String(error));
    }
  }

  private async track(work: Promise<unknown>): Promise<void> {
    this.running.add(work);
    await work;
    this.running.delete(work);
  }
}
