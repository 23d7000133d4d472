import { ContractError, listenSubject, type Message } from '@agentclash/contracts';
import type { Msg, NatsConnection, Subscription } from '@nats-io/transport-node';
import { NatsContext, ServerNats, type WritePacket } from '@nestjs/microservices';
import { type BusConnection, isInbox } from './connection.js';
import type { HandledMessage } from './handles.js';
import { type BusLogger, SILENT } from './logger.js';
import { checkTail } from './tail.js';
import { decode, encode, errorReply, type Reply } from './wire.js';

/**
 * Nest's NATS transport on the service's own connection, with plain JSON replies. Requests go to one instance of
 * the service (queue group); events bound with reach `each` go to all.
 */
export class RpcServer extends ServerNats {
  private readonly running = new Set<Promise<unknown>>();
  private readonly listening: Subscription[] = [];

  constructor(
    private readonly connection: BusConnection,
    private readonly log: BusLogger = SILENT,
  ) {
    super({
      deserializer: {
        // Nest takes a message without an id for an event; the reply inbox serves as the id.
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
      const { message: contract, reach } = handler.extras as HandledMessage;
      const queue = reach === 'shared' ? { queue: this.connection.name } : {};
      const callback = (_error: Error | null, message: Msg) =>
        void this.track(
          contract.kind === 'rpc' ? this.respond(contract, message) : this.receive(subject, message),
        );
      this.listening.push(client.subscribe(subject, { ...queue, callback }));
    }
  }

  /** Stops accepting requests and waits for the running ones. The connection is the service's and stays open. */
  override async close(): Promise<void> {
    for (const subscription of this.listening.splice(0)) subscription.unsubscribe();
    while (this.running.size > 0) await Promise.allSettled(this.running);
  }

  /** The server drops a reply above its limit: the caller gets an error at once instead of a timeout. */
  private bounded(reply: Reply): Uint8Array {
    const data = encode(reply);
    const bytesMax = this.connection.nats.info?.max_payload ?? Number.POSITIVE_INFINITY;
    if (data.length <= bytesMax) return data;
    this.log.error({ bytes: data.length, bytes_max: bytesMax }, 'reply exceeds the message limit');
    const message = `The reply is larger than the ${bytesMax} bytes of a message.`;
    return encode(errorReply(new ContractError('too_large', message)));
  }

  /** Replies go to inboxes only: any other reply subject would let a caller publish with this service's permissions. */
  private async respond(contract: Message, message: Msg): Promise<void> {
    const subject = listenSubject(contract);
    if (message.reply === undefined || !isInbox(message.reply)) {
      this.log.error({ subject }, 'request rejected: its reply subject is no inbox');
      return;
    }
    try {
      if (contract.tail !== undefined) checkTail(contract, message.subject, decode(message.data));
      await this.handleMessage(subject, message);
    } catch (error) {
      message.respond(this.bounded(errorReply(error)));
      if (!(error instanceof ContractError)) this.log.error({ subject, err: error }, 'request failed');
    }
  }

  /** A stored event carries its publisher's reply inbox, which is for the stream's acknowledgement: it gets no reply here. */
  private async receive(subject: string, message: Msg): Promise<void> {
    try {
      await this.handleEvent(
        subject,
        { pattern: subject, data: decode(message.data) },
        new NatsContext([message.subject, message.headers]),
      );
    } catch (error) {
      this.log.error({ subject, err: error }, 'event handler failed');
    }
  }

  private async track(work: Promise<unknown>): Promise<void> {
    this.running.add(work);
    await work;
    this.running.delete(work);
  }
}
