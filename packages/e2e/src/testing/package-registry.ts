import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

/** The request of npm and pnpm that publishes one version. */
interface Publication {
  name: string;
  'dist-tags': Record<string, string>;
  versions: Record<string, Record<string, unknown>>;
  _attachments: Record<string, { data: string }>;
}

/** A registry of npm on this machine that keeps what is published to it with its token: only that. */
export class PackageRegistry {
  readonly token = randomUUID();
  /** Names, in the order in which they were published. */
  readonly published: string[] = [];
  readonly #documents = new Map<string, object>();
  readonly #archives = new Map<string, Buffer>();
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => {
      void this.#handle(request).then(
        (body) => response.writeHead(body === undefined ? 404 : 200).end(body ?? '{}'),
        (error) => response.writeHead(500).end(String(error)),
      );
    });
  }

  static async start(): Promise<PackageRegistry> {
    const registry = new PackageRegistry();
    await new Promise<void>((resolve) => registry.#server.listen(0, '127.0.0.1', resolve));
    return registry;
  }

  /** Ends with a slash, as settings of npm need it. */
  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`;
  }

  /** The manifest of a version that was published. Throws without one. */
  manifestOf(name: string): Record<string, unknown> {
    const { versions = {} } = (this.#documents.get(name) ?? {}) as Partial<Publication>;
    const [manifest] = Object.values(versions);
    if (manifest === undefined) throw new Error(`${name} was not published`);
    return manifest;
  }

  /** The versions of a package by their tags, such as `latest`. */
  tagsOf(name: string): Record<string, string> {
    return { ...((this.#documents.get(name) ?? {}) as Partial<Publication>)['dist-tags'] };
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  async #handle(request: IncomingMessage): Promise<string | Buffer | undefined> {
    const path = decodeURIComponent((request.url ?? '').slice(1));
    if (request.method === 'PUT' && request.headers.authorization !== `Bearer ${this.token}`) {
      throw new Error('publishing needs the token');
    }
    if (request.method === 'PUT') return this.#publish((await json(request)) as Publication);
    const document = this.#documents.get(path);
    return document === undefined ? this.#archives.get(path) : JSON.stringify(document);
  }

  #publish({ name, versions, _attachments, 'dist-tags': tags }: Publication): string {
    const [[version, manifest] = ['', {}]] = Object.entries(versions);
    const [{ data } = { data: '' }] = Object.values(_attachments);
    const archive = Buffer.from(data, 'base64');
    const file = `${name}/-/${version}.tgz`;
    const integrity = `sha512-${createHash('sha512').update(archive).digest('base64')}`;
    const dist = { tarball: `${this.url}${file}`, integrity };
    this.published.push(name);
    this.#archives.set(file, archive);
    this.#documents.set(name, {
      name,
      'dist-tags': { ...this.tagsOf(name), ...tags },
      versions: { [version]: { ...manifest, dist } },
    });
    return '{"ok":true}';
  }
}
