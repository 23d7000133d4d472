import { type CustomTransportStrategy, Server } from '@nestjs/microservices';
import type { BusConnection } from './connection.js';
import type { HandledMessage } from './handles.js';
import { type BusInstrumentation, instrumented } from './instrumentation.js';
import { type JetStreamOptions, JetStreamServer, type QueueDepth } from './jetstream-server.js';
import { RpcServer } from './rpc-server.js';

/** All messages that a service handles, as one Nest transport: requests by core NATS, jobs and stored events by JetStream. */
export class BusServer extends Server implements CustomTransportStrategy {
  override readonly propagatesEventHandlerErrors = true;
  private readonly rpc: RpcServer;
  private readonly stream: JetStreamServer;

  constructor(
    connection: BusConnection,
    private readonly options: JetStreamOptions & { instrumentation?: BusInstrumentation },
  ) {
    super();
    this.rpc = new RpcServer(connection, options.logger);
    this.stream = new JetStreamServer(connection, options);
  }

  listen(callback: (error?: unknown) => void): void {
    const { instrumentation } = this.options;
    for (const [pattern, bare] of this.messageHandlers) {
      const handler = instrumentation === undefined ? bare : instrumented(bare, instrumentation);
      const { message, reach } = handler.extras as HandledMessage;
      const isStored = message.kind !== 'rpc' && reach === 'shared';
      const server = isStored ? this.stream : this.rpc;
      server.addHandler(pattern, handler, message.kind !== 'rpc', handler.extras);
    }
    void this.rpc.listen((error) => {
      if (error) callback(error);
      else void this.stream.listen(callback);
    });
  }

  /** Stops accepting messages and waits for the running handlers. */
  async close(): Promise<void> {
    await Promise.all([this.rpc.close(), this.stream.close()]);
  }

  /** The depths of the queues that this service consumes. */
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
