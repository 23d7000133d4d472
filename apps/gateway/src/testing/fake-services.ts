import { Bus, BusConnection, BusServer, provisionStreams } from '@agentclash/bus';
import { ContractError, type In, listenSubject, type Out, type Rpc } from '@agentclash/contracts';

/** Fakes of the services behind the gateway: each message is handled by the function that was set last. */
export class FakeServices {
  private readonly handlers = new Map<string, (request: unknown) => unknown>();
  /** Every received request, by subject. */
  readonly requests = new Map<string, unknown[]>();
  readonly bus: Bus;

  private constructor(
    private readonly connection: BusConnection,
    private readonly server: BusServer,
  ) {
    this.bus = new Bus(connection);
  }

  static async start(natsUrl: string, messages: readonly Rpc[]): Promise<FakeServices> {
    const connection = await BusConnection.open({ servers: [natsUrl], name: 'run-orchestrator' });
    await provisionStreams(await connection.jetstreamManager());
    const server = new BusServer(connection, { concurrency: 8 });
    const fakes = new FakeServices(connection, server);
    for (const message of messages) {
      const handler = async (request: unknown) => fakes.respond(message, request);
      server.addHandler(listenSubject(message), handler, false, { message, reach: 'shared' });
    }
    await new Promise<void>((resolve, reject) => {
      server.listen((error) => (error ? reject(error) : resolve()));
    });
    return fakes;
  }

  on<R extends Rpc>(message: R, respond: (request: In<R>) => Out<R> | Promise<Out<R>>): void {
    this.handlers.set(message.subject, respond as (request: unknown) => unknown);
  }

  /** The last request. */
  last<R extends Rpc>(message: R): In<R> | undefined {
    return this.requests.get(message.subject)?.at(-1) as In<R> | undefined;
  }

  count(message: Rpc): number {
    return this.requests.get(message.subject)?.length ?? 0;
  }

  async close(): Promise<void> {
    await this.server.close();
    await this.connection.close();
  }

  private respond(message: Rpc, request: unknown): unknown {
    const input = message.input.parse(request);
    this.requests.set(message.subject, [...(this.requests.get(message.subject) ?? []), input]);
    const respond = this.handlers.get(message.subject);
    if (respond === undefined) throw new ContractError('not_found', `no handler for ${message.subject}`);
    return respond(input);
  }
}
