import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';

const MANIFEST = 'application/vnd.oci.image.manifest.v1+json';
const INDEX = 'application/vnd.oci.image.index.v1+json';
const CONFIG = 'application/vnd.oci.image.config.v1+json';
const LAYER = 'application/vnd.oci.image.layer.v1.tar+gzip';
const ARCHITECTURES: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' };
/** An empty tar archive. */
const EMPTY = Buffer.alloc(1024);
/** Also one, which no node has unpacked before. */
const NEVER_PULLED = Buffer.alloc(2048);
const UNAVAILABLE = 503;
const TOO_MANY = 429;

interface Blob {
  type: string;
  bytes: Buffer;
}

/**
 * A registry with one image that can be pulled, and others that cannot, each in a way of its own. It takes images but into the
 * repository `private`.
 */
export class FakeRegistry {
  readonly #blobs = new Map<string, Blob>();
  /** `REPOSITORY:TAG` of each image that was pushed, once for each push. */
  readonly pushed: string[] = [];
  readonly #server: Server;
  #uploads = 0;

  private constructor() {
    this.#server = createServer((request, response) => {
      this.#handle(request, response).catch(() => fail(response, UNAVAILABLE, 'UNAVAILABLE'));
    });
  }

  static async start(address = '127.0.0.1'): Promise<FakeRegistry> {
    const registry = new FakeRegistry();
    registry.#server.listen(0, address);
    await once(registry.#server, 'listening');
    return registry;
  }

  get host(): string {
    return `127.0.0.1:${this.port}`;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Has the image of a layout, too. */
  add(layout: string): void {
    const blobs = path.join(layout, 'blobs/sha256');
    for (const name of readdirSync(blobs)) {
      const bytes = readFileSync(path.join(blobs, name));
      const isManifest = bytes.includes('"layers"') && bytes[0] === '{'.charCodeAt(0);
      this.#blobs.set(`sha256:${name}`, { type: isManifest ? MANIFEST : LAYER, bytes });
    }
  }

  /** As after its collection of garbage. */
  forgetPushed(): void {
    for (const name of this.pushed) {
      const manifest = this.#blobs.get(name);
      if (manifest !== undefined) this.#blobs.delete(digestOf(manifest.bytes));
      this.#blobs.delete(name);
    }
  }

  /** The reference of an image of so many empty layers. `isDamaged`: one of them has other bytes than its digest promises. */
  image(
    name: string,
    { layers = 1, architecture = ARCHITECTURES[process.arch] ?? process.arch, isDamaged = false } = {},
  ): string {
    const content = isDamaged ? NEVER_PULLED : EMPTY;
    const rootfs = { type: 'layers', diff_ids: Array.from({ length: layers }, () => digestOf(content)) };
    const config = { architecture, os: 'linux', config: { Env: ['OF_IMAGE=yes'] }, rootfs };
    const layer = this.#keep(LAYER, gzipSync(EMPTY));
    const damaged = { ...layer, digest: digestOf(Buffer.from('other')) };
    if (isDamaged) this.#blobs.set(damaged.digest, { type: LAYER, bytes: gzipSync(EMPTY) });
    const manifest = this.#keep(
      MANIFEST,
      json({
        schemaVersion: 2,
        mediaType: MANIFEST,
        config: this.#keep(CONFIG, json(config)),
        layers: Array.from({ length: layers }, () => (isDamaged ? damaged : layer)),
      }),
    );
    const index = { ...manifest, platform: { architecture, os: 'linux' } };
    const { digest } = this.#keep(INDEX, json({ schemaVersion: 2, mediaType: INDEX, manifests: [index] }));
    return `${this.host}/${name}@${digest}`;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  #keep(type: string, bytes: Buffer): { mediaType: string; digest: string; size: number } {
    const digest = digestOf(bytes);
    this.#blobs.set(digest, { type, bytes });
    return { mediaType: type, digest, size: bytes.length };
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { url = '', method = 'GET' } = request;
    if (method === 'GET' || method === 'HEAD') return this.#reply(url, response);
    const { pathname, searchParams } = new URL(url, 'http://registry');
    const [, repository = '', tag] = /^\/v2\/([^/]+)\/(?:blobs|manifests)\/(.*)$/.exec(pathname) ?? [];
    const bytes = await buffer(request);
    const digest = digestOf(bytes);
    if (repository === 'private') return fail(response, 401, 'UNAUTHORIZED');
    if (method === 'PUT' && pathname.includes('/manifests/')) {
      const stored = { type: String(request.headers['content-type']), bytes };
      this.#blobs.set(digest, stored).set(`${repository}:${tag}`, stored);
      this.pushed.push(`${repository}:${tag}`);
      response.writeHead(201, { 'docker-content-digest': digest }).end();
    } else if (method === 'PUT') {
      const whole = Buffer.concat([this.#blobs.get(pathname)?.bytes ?? EMPTY.subarray(0, 0), bytes]);
      this.#blobs.set(searchParams.get('digest') ?? '', { type: LAYER, bytes: whole });
      response.writeHead(201).end();
    } else {
      const location = method === 'POST' ? `${pathname}${this.#uploads++}` : pathname;
      this.#blobs.set(location, { type: LAYER, bytes });
      response.writeHead(202, { location, range: `0-${Math.max(0, bytes.length - 1)}` }).end();
    }
  }

  #reply(url: string, response: ServerResponse): void {
    const [, repository, digest = ''] = /^\/v2\/([^/]+)\/(?:manifests|blobs)\/(.*)$/.exec(url) ?? [];
    const blob = this.#blobs.get(digest);
    if (url === '/v2/') response.end();
    else if (url.startsWith('/token')) fail(response, 401, 'UNAUTHORIZED');
    else if (repository === 'private') {
      response.setHeader('www-authenticate', `Bearer realm="http://${this.host}/token",service="test"`);
      fail(response, 401, 'UNAUTHORIZED');
    } else if (repository === 'down') fail(response, UNAVAILABLE, 'UNAVAILABLE');
    else if (repository === 'busy') fail(response, TOO_MANY, 'TOOMANYREQUESTS');
    else if (blob === undefined) fail(response, 404, 'MANIFEST_UNKNOWN');
    else {
      const { type, bytes } = blob;
      response
        .writeHead(200, {
          'content-type': type,
          'content-length': bytes.length,
          'docker-content-digest': digest,
        })
        .end(bytes);
    }
  }
}

function fail(response: ServerResponse, status: number, code: string): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ errors: [{ code, message: code.toLowerCase() }] }));
}

function json(value: object): Buffer {
  return Buffer.from(JSON.stringify(value));
}

function digestOf(bytes: Buffer): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}
