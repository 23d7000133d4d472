import { Client, errors } from 'undici';
import { type ConnectorOptions, type PinnedTarget, pinnedConnector } from '../guard/pinned-connector.js';

const RESPONSE_HEADER_BYTES_MAX = 64 * 1024;
/** Many servers close an idle connection after 5 s without announcing it. */
const IDLE_MS = 4_000;
/** For servers that announce a longer time. */
const ANNOUNCED_IDLE_MS_MAX = 30_000;
const IDLE_PER_KEY_MAX = 64;
const IDLE_MAX = 512;

/** One connection to one checked address. It is never opened again: a lost one is replaced after another check. */
export class Connection {
  readonly client: Client;
  isLost = false;
  /** Called when the connection is lost. */
  onLost: (() => void) | undefined;
  /** Of its socket; undefined before it is open. */
  private address: string | undefined;
  private hasConnected = false;

  constructor(origin: string, target: PinnedTarget, options: ConnectorOptions) {
    const connect = pinnedConnector(target, options);
    this.client = new Client(origin, {
      connect: (request, callback) => {
        if (this.hasConnected) return callback(new errors.SocketError('the connection was lost'), null);
        this.hasConnected = true;
        connect(request, (...[error, socket]) => {
          this.address = socket?.remoteAddress;
          if (error === null) callback(null, socket);
          else callback(error, null);
        });
      },
      pipelining: 1,
      allowH2: false,
      maxHeaderSize: RESPONSE_HEADER_BYTES_MAX,
      // The hop's signal is the only clock.
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveTimeout: IDLE_MS,
      keepAliveMaxTimeout: ANNOUNCED_IDLE_MS_MAX,
    });
    this.client.once('disconnect', () => {
      this.isLost = true;
      this.onLost?.();
    });
  }

  leadsTo(pinned: readonly string[]): boolean {
    return !this.isLost && this.address !== undefined && pinned.includes(this.address);
  }

  close(): void {
    this.isLost = true;
    void this.client.destroy().catch(() => {});
  }
}

/** Idle connections by key; a connection is used for its own key only, and for the addresses that were checked last. */
export class IdleConnections {
  /** The last one was used last. */
  private idle: { key: string; connection: Connection }[] = [];

  /** Undefined where there is none to these addresses. Closes those that lead elsewhere. */
  take(key: string, pinned: readonly string[]): Connection | undefined {
    this.close((each) => each.key === key && !each.connection.leadsTo(pinned));
    const index = this.idle.findLastIndex((each) => each.key === key);
    return index < 0 ? undefined : this.idle.splice(index, 1)[0]?.connection;
  }

  /** Closes the connection that was idle for longest where there are too many. */
  give(key: string, connection: Connection): void {
    if (connection.isLost) return;
    this.idle.push({ key, connection });
    connection.onLost = () => this.close((each) => each.connection === connection);
    const ofKey = this.idle.filter((each) => each.key === key);
    const excess = ofKey.length > IDLE_PER_KEY_MAX ? ofKey[0] : this.idle.length > IDLE_MAX && this.idle[0];
    if (excess) this.close((each) => each === excess);
  }

  private close(matches: (idle: { key: string; connection: Connection }) => boolean): void {
    const closed = this.idle.filter(matches);
    if (closed.length === 0) return;
    this.idle = this.idle.filter((each) => !matches(each));
    for (const { connection } of closed) connection.close();
  }
}
