import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer, json } from 'node:stream/consumers';
import type { SandboxProvider, SandboxSession } from '../../contract.js';
import { decodeEnvelopes, encodeEnvelope } from '../../e2b/envd.js';
import { FakeTemplates } from './fake-templates.js';

const MIB = 1 << 20;
const END = 2;

interface Machine {
  sandboxID: string;
  metadata: Record<string, string>;
  templateID: string;
  session?: SandboxSession;
  inputs: Map<number, InputQueue>;
  nextPid: number;
}

interface StartMessage {
  process: { cmd: string; args: string[] };
}

/** As much of the service as sandboxes use, daemon included. Its machines are sandboxes of another provider. */
export class FakeE2b {
  readonly apiKey = 'a-key';
  readonly machines = new Map<string, Machine>();
  readonly templates: FakeTemplates;
  #nextId = 1;
  readonly #server: Server;

  constructor(
    private readonly provider: SandboxProvider,
    /** The template of that provider that all machines are made of; default: its default. */
    private readonly image?: string,
  ) {
    this.templates = new FakeTemplates(provider, image);
    this.#server = createServer((request, response) => {
      this.#handle(request, response).catch((error) => reply(response, 500, { message: String(error) }));
    });
  }

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    await Promise.all([...this.machines.values()].map(({ session }) => session?.destroy()));
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://service');
    const [, machineId, path] = /^\/machines\/([^/]+)(\/.*)$/.exec(url.pathname) ?? [];
    const machine = this.machines.get(machineId ?? '');
    if (machineId !== undefined) {
      if (!machine || request.headers['x-access-token'] !== 'a-token') return reply(response, 401, {});
      if (path === '/files') return this.#upload(machine, request, { response, url });
      if (path === '/process.Process/Start') return this.#start(machine, request, response);
      if (path === '/process.Process/SendInput') return this.#input(machine, request, response);
      return reply(response, 404, {});
    }
    if (request.headers['x-api-key'] !== this.apiKey) return reply(response, 401, {});
    return this.#manage(request, response, url);
  }

  async #manage(request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> {
    if (/^(\/v\d)?\/templates/.test(url.pathname)) {
      return reply(response, 200, await this.templates.handle(request, url));
    }
    const [, id = ''] = /^\/sandboxes\/([^/]+)/.exec(url.pathname) ?? [];
    const machine = this.machines.get(id);
    if (request.method === 'POST' && url.pathname === '/v2/sandboxes') {
      const { metadata, templateID } = (await json(request)) as Pick<Machine, 'metadata' | 'templateID'>;
      if (!this.templates.find(templateID)) return reply(response, 404, { message: 'template not found' });
      const sandboxID = `e2b-${this.#nextId++}`;
      this.machines.set(sandboxID, { sandboxID, metadata, templateID, inputs: new Map(), nextPid: 1 });
      return reply(response, 201, {
        sandboxID,
        templateID,
        envdVersion: '0.4.0',
        envdAccessToken: 'a-token',
      });
    }
    if (request.method === 'GET') {
      const wanted = new URLSearchParams(url.searchParams.get('metadata') ?? '');
      const found = [...this.machines.values()].filter(({ metadata }) =>
        [...wanted].every(([key, value]) => metadata[key] === value),
      );
      return reply(
        response,
        200,
        found.map(({ sandboxID }) => ({ sandboxID })),
      );
    }
    if (!machine) return reply(response, 404, {});
    if (request.method === 'DELETE') {
      this.machines.delete(id);
      await machine.session?.destroy();
    }
    reply(response, 200, {});
  }

  /** The first command names the directories; nothing can be written before. */
  async #prepare(machine: Machine, directories: readonly string[]): Promise<SandboxSession> {
    machine.session ??= await this.provider.create({
      limits: {
        cpu: 2,
        memoryBytes: 256 * MIB,
        pids: 512,
        // Small enough that a bomb fills it, and enough for 90,000 files.
        workspaceBytes: 88 * MIB,
        outputBytes: Number.MAX_SAFE_INTEGER,
      },
      filesystem: {
        workingDirectory: directories.at(1) ?? '/workspace',
        writableRoots: directories.filter((directory) => directory !== '/tmp'),
        readableRoots: ['/'],
      },
      packages: this.templates.find(machine.templateID)?.packages ?? [],
      ...(this.image !== undefined && { template: this.image }),
      labels: { runId: 'machine', attemptId: machine.sandboxID },
      leaseMs: 3_600_000,
    });
    return machine.session;
  }

  async #upload(
    machine: Machine,
    request: IncomingMessage,
    { response, url }: { response: ServerResponse; url: URL },
  ): Promise<void> {
    const headers = { 'content-type': request.headers['content-type'] ?? '' };
    const form = await new Response(new Uint8Array(await buffer(request)), { headers }).formData();
    const file = form.get('file');
    const path = url.searchParams.get('path') ?? '';
    if (!(file instanceof Blob)) return reply(response, 400, {});
    const bytes = new Uint8Array(await file.arrayBuffer());
    await machine.session?.writeFile(path, bytes, { mode: 0o755, roots: ['/'] });
    reply(response, 200, [{ path }]);
  }

  async #start(machine: Machine, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { process } = await firstOf<StartMessage>(decodeEnvelopes(request));
    const { cmd, args } = process;
    const isPreparing = cmd === '/bin/sh';
    const session = await this.#prepare(machine, isPreparing ? args.slice(3) : []);
    const pid = machine.nextPid++;
    const input = new InputQueue();
    machine.inputs.set(pid, input);
    const send = (event: object) => response.write(encodeEnvelope({ event }));
    response.writeHead(200, { 'content-type': 'application/connect+json' });
    send({ start: { pid } });
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    const run = () =>
      session.exec([cmd, ...args], {
        stdin: input,
        cwd: '/',
        signal: gone.signal,
        onStdout: (chunk) => send({ data: { stdout: Buffer.from(chunk).toString('base64') } }),
        onStderr: (chunk) => send({ data: { stderr: Buffer.from(chunk).toString('base64') } }),
      });
    try {
      // The directories are there already.
      const { exitCode } = isPreparing ? { exitCode: 0 } : await run();
      send({ end: { exited: true, ...(exitCode === 0 ? {} : { exitCode }) } });
      response.end(encodeEnvelope({}, END));
    } catch {
      response.destroy();
    }
  }

  async #input(machine: Machine, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { process, input } = (await json(request)) as {
      process: { pid: number };
      input: { stdin: string };
    };
    machine.inputs.get(process.pid)?.push(Buffer.from(input.stdin, 'base64'));
    reply(response, 200, {});
  }
}

async function firstOf<T>(items: AsyncIterable<T>): Promise<T> {
  for await (const item of items) return item;
  throw new Error('an empty stream');
}

function reply(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** The input that was sent to a process and not yet read by it; without an end of its own. */
class InputQueue implements AsyncIterable<Uint8Array> {
  readonly #waiting: Uint8Array[] = [];
  #wake = () => {};

  push(bytes: Uint8Array): void {
    this.#waiting.push(bytes);
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    for (;;) {
      const next = this.#waiting.shift();
      if (next) yield next;
      else
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
    }
  }
}
