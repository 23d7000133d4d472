import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Script } from '@agentclash/scripted-model';

/** Counts where a process in a sandbox finds a text: in files, and in the variables and arguments of processes. */
const count = (title: string, pattern: string) =>
  `{ grep -rlaE '${pattern}' /home/agent /workspace /tmp /run /etc 2>/dev/null; ` +
  `cat /proc/[0-9]*/environ /proc/[0-9]*/cmdline 2>/dev/null | grep -aoE '${pattern}'; } | ` +
  `wc -l | sed 's/^/${title}: /'`;

/** Patterns that do not match themselves. */
const SEARCH = `${count('secrets', 'canar[y]-[0-9a-f]{30}')}; ${count('notes', 'stock-not[e]-[0-9a-f]{24}')}`;

/** The server of the example pack inventory, which repeats what it was sent, as careless servers do. */
export class Warehouse {
  /** The credential that it requires. */
  readonly secret = `canary-${randomBytes(15).toString('hex')}`;
  /** A text in its replies that is no secret. */
  readonly note = `stock-note-${randomBytes(12).toString('hex')}`;
  /** Paths that were requested with the credential. */
  readonly served: string[] = [];

  private constructor(private readonly server: Server) {}

  static async start(): Promise<Warehouse> {
    const server = createServer();
    const warehouse = new Warehouse(server);
    server.on('request', ({ headers, url = '' }, response) => {
      const { secret, note } = warehouse;
      const isAllowed = headers.authorization === `Bearer ${secret}`;
      if (isAllowed) warehouse.served.push(url);
      response.writeHead(isAllowed ? 200 : 401);
      response.end(JSON.stringify({ quantity: 1_200, note, sent: headers, secret }));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return warehouse;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Calls the tool of the pack, searches the sandbox for the credential and for the note, and gives the number. */
  readonly clerk: Script = ({ tools, resultCount }) => {
    if (tools.length === 0) return { text: 'A title' };
    if (resultCount === 0) return { call: { name: 'check_stock', arguments: { sku: 'A-100' } } };
    return resultCount === 1 ? { run: SEARCH } : { text: '1200' };
  };

  close(): void {
    this.server.close();
    this.server.closeAllConnections();
  }
}
