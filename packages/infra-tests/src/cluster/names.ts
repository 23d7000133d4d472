import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import type { Kubectl } from './kubectl.js';

const PORT = 53;
const HEADER_BYTES = 12;
const CLASS_AND_TYPE_BYTES = 4;
const TYPE_A = 1;
const NOT_FOUND = 3;
const TTL_SECONDS = 1;
const FRESH_MS = 500;

interface Endpoints {
  metadata: { name: string };
  subsets?: { addresses?: { ip: string }[] }[];
}

/** The names of services in a cluster without a resolver of its own: a service is its ready pods, as if it were headless. */
export class ServiceNames {
  readonly #socket: Socket = createSocket('udp4');
  #known: Promise<Map<string, string[]>> | undefined;
  #readAt = 0;

  private constructor(
    private readonly kubectl: Kubectl,
    private readonly namespace: string,
  ) {
    this.#socket.on('message', (request, { address, port }) => {
      this.#reply(request).then(
        (response) => this.#socket.send(response, port, address),
        // The resolver of the pod sends it again.
        () => {},
      );
    });
  }

  /** Listens at the address that the kubelet gives pods for names. */
  static async serve(kubectl: Kubectl, namespace: string, address: string): Promise<ServiceNames> {
    const names = new ServiceNames(kubectl, namespace);
    names.#socket.bind(PORT, address);
    await once(names.#socket, 'listening');
    return names;
  }

  close(): void {
    this.#socket.close();
  }

  async #reply(request: Buffer): Promise<Buffer> {
    const labels: string[] = [];
    let at = HEADER_BYTES;
    for (let length = request[at] ?? 0; length > 0; length = request[at] ?? 0) {
      labels.push(request.toString('latin1', at + 1, at + 1 + length));
      at += 1 + length;
    }
    const end = at + 1 + CLASS_AND_TYPE_BYTES;
    const addresses = (await this.#addresses()).get(labels.join('.').toLowerCase());
    const isOfType = request.readUInt16BE(at + 1) === TYPE_A;
    const records = isOfType ? (addresses ?? []).map(recordOf) : [];
    const header = Buffer.alloc(HEADER_BYTES);
    request.copy(header, 0, 0, 2);
    header.writeUInt16BE(0x8580 | (addresses === undefined ? NOT_FOUND : 0), 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(records.length, 6);
    return Buffer.concat([header, request.subarray(HEADER_BYTES, end), ...records]);
  }

  #addresses(): Promise<Map<string, string[]>> {
    if (this.#known === undefined || performance.now() - this.#readAt > FRESH_MS) {
      this.#readAt = performance.now();
      this.#known = this.#read();
    }
    return this.#known;
  }

  async #read(): Promise<Map<string, string[]>> {
    const all = await this.kubectl.list<Endpoints>('endpoints', this.namespace);
    return new Map(
      all.map(({ metadata, subsets = [] }) => [
        `${metadata.name}.${this.namespace}.svc.cluster.local`,
        subsets.flatMap(({ addresses = [] }) => addresses.map(({ ip }) => ip)),
      ]),
    );
  }
}

function recordOf(ip: string): Buffer {
  const record = Buffer.alloc(16);
  record.writeUInt16BE(0xc000 | HEADER_BYTES, 0);
  record.writeUInt16BE(TYPE_A, 2);
  record.writeUInt16BE(1, 4);
  record.writeUInt32BE(TTL_SECONDS, 6);
  record.writeUInt16BE(4, 10);
  ip.split('.').forEach((part, index) => {
    record[12 + index] = Number(part);
  });
  return record;
}
