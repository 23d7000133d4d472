import { type JetStreamClient, type JetStreamManager, jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection, nkeyAuthenticator } from '@nats-io/transport-node';

export interface BusOptions {
  /** One or several server urls, `nats://host:port`. */
  servers: string[];
  /** The service's name: its bus user, its queue group, the prefix of its inboxes. */
  name: string;
  /** Credentials: a user with its password, or the seed of an nkey, which never leaves the process. */
  user?: string;
  password?: string;
  nkeySeed?: string;
}

/** The one connection of a service, shared by its servers and its client. */
export class BusConnection {
  readonly jetstream: JetStreamClient;
  private manager: Promise<JetStreamManager> | undefined;

  private constructor(
    readonly name: string,
    readonly nats: NatsConnection,
  ) {
    this.jetstream = jetstream(nats, { timeout: 5_000 });
  }

  /** Waits without a limit for a server that is not up yet, so that services may start in any order. */
  static async open(options: BusOptions): Promise<BusConnection> {
    const nats = await connect({
      servers: options.servers,
      name: options.name,
      // An inbox prefix per service: permissions keep every other service from subscribing to the replies.
      inboxPrefix: inboxPrefix(options.name),
      waitOnFirstConnect: true,
      maxReconnectAttempts: -1,
      reconnectTimeWait: 250,
      // Capturing a stack for every request costs more than most requests.
      noAsyncTraces: true,
      ...credentialsOf(options),
    });
    return new BusConnection(options.name, nats);
  }

  /** Created on first use, and again after a failure: JetStream may come up later than the server. */
  async jetstreamManager(): Promise<JetStreamManager> {
    this.manager ??= jetstreamManager(this.nats, { checkAPI: false, timeout: 5_000 });
    try {
      return await this.manager;
    } catch (error) {
      this.manager = undefined;
      throw error;
    }
  }

  get isConnected(): boolean {
    return !this.nats.isClosed() && this.connected;
  }

  private connected = true;

  /**
   * Follows the connection's state; `onStatus` is called for disconnects, reconnects and errors such as denied
   * permissions.
   */
  async watch(onStatus: (status: string, detail: string) => void): Promise<void> {
    for await (const status of this.nats.status()) {
      if (status.type === 'disconnect') this.connected = false;
      if (status.type === 'reconnect') this.connected = true;
      if (status.type === 'disconnect' || status.type === 'reconnect') onStatus(status.type, status.server);
      if (status.type === 'error') onStatus('error', status.error.message);
    }
  }

  /** Flushes, then closes. Idempotent. */
  async close(): Promise<void> {
    if (this.nats.isClosed()) return;
    await this.nats.drain().catch(() => this.nats.close());
  }
}

function credentialsOf({ user, password = '', nkeySeed }: BusOptions) {
  if (nkeySeed !== undefined) return { authenticator: nkeyAuthenticator(Buffer.from(nkeySeed)) };
  return user === undefined ? {} : { user, pass: password };
}

/** True when a subject is a reply inbox; the server rewrites an inbox of another account to `_R_`. */
export function isInbox(subject: string): boolean {
  return /^(?:_INBOX[._]|_R_\.)/.test(subject);
}

export function inboxPrefix(name: string): string {
  return `_INBOX_${name.replaceAll('-', '_')}`;
}
