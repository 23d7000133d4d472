import { type CustomTransportStrategy, Server } from '@nestjs/microservices';
import type { BusConnection } from './connection.js';
import type { Delivery } from './handles.js';
import { type JetStreamOptions, JetStreamServer, type QueueDepth } from './jetstream-server.js';
import { RpcServer } from './rpc-server.js';
import { type BusWatch, watched } from './watch.js';

/** All that a service serves and hears on the bus, as one Nest transport: requests by core NATS, the rest by JetStream. */
export class BusServer extends Server implements CustomTransportStrategy {
  override readonly propagatesEventHandlerErrors = true;
  private readonly rpc: RpcServer;
  private readonly stream: JetStreamServer;

  constructor(
    connection: BusConnection,
    private readonly options: JetStreamOptions & { watch?: BusWatch },
  ) {
    super();
    this.rpc = new RpcServer(connection);
    this.stream = new JetStreamServer(connection, options);
  }

  listen(callback: (error?: unknown) => void): void {
    const { watch } = this.options;
    for (const [pattern, bare] of this.messageHandlers) {
      const handler = watch === undefined ? bare : watched(bare, watch);
      const { message, reach } = handler.extras as Delivery;
      const isStored = message.kind !== 'rpc' && reach === 'shared';
      const server = isStored ? this.stream : this.rpc;
      server.addHandler(pattern, handler, message.kind !== 'rpc', handler.extras);
    }
    void this.rpc.listen((error) => {
      if (error) callback(error);
      else void this.stream.listen(callback);
    });
  }

  /** Takes nothing new and waits for what is being worked on. */
  async close(): Promise<void> {
    await Promise.all([this.rpc.close(), this.stream.close()]);
  }

  /** How full the queues are that this service takes from. */
  async queues(): Promise<QueueDepth[]> {
    return await this.stream.queues();
  }

  on(): void {
    throw new Error('the bus server emits no events');
  }

  unwrap<T>(): T {
    return this.rpc.unwrap();
  }
}
