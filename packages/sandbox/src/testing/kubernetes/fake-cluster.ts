import { EventEmitter } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { json } from 'node:stream/consumers';
import { WebSocketServer } from 'ws';
import type { SandboxSession } from '../../contract.js';
import type { KubernetesObject } from '../../kubernetes/objects.js';
import { FakeBuilds } from './fake-builds.js';
import { openPod, type PodContext, type PodManifest, serveExec, statusOf } from './fake-pod.js';

interface NetworkPolicy extends KubernetesObject {
  spec: { podSelector: { matchLabels: Record<string, string> }; egress: object[] };
}

interface SandboxObject extends KubernetesObject {
  spec: {
    podTemplate: { metadata: Omit<KubernetesObject['metadata'], 'name'>; spec: PodManifest['spec'] };
    service: boolean;
    shutdownTime: string;
    shutdownPolicy: string;
  };
}

export interface FakeClusterOptions extends PodContext {
  /** The result of a connection of a pod. Nothing here enforces anything. */
  network?: 'enforced' | 'not_enforced' | 'unreachable';
  /** True: the security standard of the namespace is that of images. */
  admitsRoot?: boolean;
  /** The resource Sandbox, with or without a controller that makes pods of it; default: there is none. */
  sandboxes?: 'controlled' | 'uncontrolled' | undefined;
}

const PATH =
  /^\/(?:api|apis)\/[^?]*\/namespaces\/([^/]+)\/(pods|networkpolicies|sandboxes|jobs|configmaps)(?:\/([^/]+))?(\/exec|\/attach|\/log)?$/;
/** The namespace of builds. */
export const BUILDS = 'builds';

/** As much of a cluster's API as sandboxes use. Its pods are sandboxes of another provider; it proves nothing of networks. */
export class FakeCluster {
  readonly token = 'a-token';
  /** Why the scheduler finds no node for a pod, where it finds none. */
  unschedulable: string | undefined;
  /** Why no node can pull the image of a sandbox, where none can. */
  unpullable: { reason: string; message: string } | undefined;
  /** The exit code of each process inside, where none of them serves. */
  insideExit: number | undefined;
  readonly pods = new ObjectStore<PodManifest>();
  readonly policies = new ObjectStore<NetworkPolicy>();
  readonly sandboxes = new ObjectStore<SandboxObject>();
  readonly builds = new FakeBuilds();
  readonly #sessions = new Map<string, SandboxSession>();
  readonly #sockets = new WebSocketServer({ noServer: true, handleProtocols: () => 'v5.channel.k8s.io' });
  readonly #server: Server;

  constructor(private readonly options: FakeClusterOptions) {
    this.#server = createServer((request, response) => {
      this.#handle(request, response).catch((error) => reply(response, 500, { message: String(error) }));
    });
    this.#server.on('upgrade', (request, socket, head) => this.#upgrade(request, socket, head));
  }

  /** Resolves to the URL of the API. */
  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#sessions.values()].map((session) => session.destroy()));
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** Ends a pod as a node does that runs out of memory, or evicts it. */
  async killPod(
    name: string,
    reason: string,
    ofPod: { reason?: string; message?: string } = {},
  ): Promise<void> {
    const pod = this.pods.get(name);
    if (!pod) return;
    const state = { terminated: { reason, exitCode: 137 } };
    const containerStatuses = [{ name: 'sandbox', state }];
    this.pods.put({ ...pod, status: { phase: 'Failed', ...ofPod, containerStatuses } });
    await this.#sessions.get(name)?.destroy();
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://cluster');
    const [, namespace, kind, name] = PATH.exec(url.pathname) ?? [];
    if (request.headers.authorization !== `Bearer ${this.token}`) return reply(response, 401, {});
    if (namespace === BUILDS) {
      if (kind === 'jobs') return this.builds.onJobs(request, response, { url, name });
      if (kind === 'pods') return this.builds.onPods(response, { url, name });
      if (kind === 'configmaps') return this.builds.onRecords(request, response);
    }
    if (kind === 'pods') return this.#onPods(request, response, { url, name });
    if (kind === 'networkpolicies') return this.#onPolicies(request, response, name);
    if (kind === 'sandboxes' && this.options.sandboxes) {
      return this.#onSandboxes(request, response, { url, name });
    }
    reply(response, 404, {});
  }

  async #onPods(
    request: IncomingMessage,
    response: ServerResponse,
    { url, name }: { url: URL; name: string | undefined },
  ): Promise<void> {
    const { method } = request;
    const pod = name === undefined ? undefined : this.pods.get(name);
    if (method === 'POST' && url.searchParams.get('dryRun') === 'All') {
      await json(request);
      if (this.options.admitsRoot) reply(response, 201, { kind: 'Pod' });
      else reply(response, 403, { kind: 'Status', message: 'violates PodSecurity "restricted:latest"' });
    } else if (method === 'POST') {
      const created = this.pods.put({
        ...((await json(request)) as PodManifest),
        status: { phase: 'Pending' },
      });
      reply(response, 201, created);
      void this.#run(created);
    } else if (name === undefined && url.searchParams.get('watch') === 'true') {
      this.#watch(response, url.searchParams.get('fieldSelector') ?? '');
    } else if (name === undefined) {
      reply(response, 200, { items: this.pods.list(url.searchParams.get('labelSelector') ?? '') });
    } else if (pod === undefined) {
      reply(response, 404, {});
    } else if (method === 'DELETE') {
      await this.#sessions.get(name)?.destroy();
      this.#sessions.delete(name);
      this.pods.delete(name);
      reply(response, 200, pod);
    } else if (method === 'PATCH') {
      const { metadata } = (await json(request)) as KubernetesObject;
      const annotations = { ...pod.metadata.annotations, ...metadata.annotations };
      reply(response, 200, this.pods.put({ ...pod, metadata: { ...pod.metadata, annotations } }));
    } else {
      reply(response, 200, pod);
    }
  }

  async #onPolicies(
    request: IncomingMessage,
    response: ServerResponse,
    name: string | undefined,
  ): Promise<void> {
    const { method } = request;
    if (method === 'POST' || method === 'PUT') {
      return reply(response, 200, this.policies.put((await json(request)) as NetworkPolicy));
    }
    const policy = name === undefined ? undefined : this.policies.get(name);
    if (policy === undefined) return reply(response, 404, {});
    if (method === 'DELETE') this.policies.delete(policy.metadata.name);
    reply(response, 200, policy);
  }

  async #onSandboxes(
    request: IncomingMessage,
    response: ServerResponse,
    { url, name }: { url: URL; name: string | undefined },
  ): Promise<void> {
    const { method } = request;
    const known = name === undefined ? undefined : this.sandboxes.get(name);
    if (method === 'POST') {
      const created = this.sandboxes.put((await json(request)) as SandboxObject);
      reply(response, 201, created);
      if (this.options.sandboxes === 'uncontrolled') return;
      const { metadata, spec } = created.spec.podTemplate;
      const named = { ...metadata, name: created.metadata.name };
      void this.#run(this.pods.put({ metadata: named, spec, status: { phase: 'Pending' } }));
    } else if (name === undefined) {
      reply(response, 200, { items: this.sandboxes.list(url.searchParams.get('labelSelector') ?? '') });
    } else if (known === undefined) {
      reply(response, 404, {});
    } else if (method === 'DELETE') {
      this.sandboxes.delete(name);
      reply(response, 200, known);
    } else {
      const { metadata, spec } = (await json(request)) as SandboxObject;
      const annotations = { ...known.metadata.annotations, ...metadata.annotations };
      const changed = {
        ...known,
        metadata: { ...known.metadata, annotations },
        spec: { ...known.spec, ...spec },
      };
      reply(response, 200, this.sandboxes.put(changed));
    }
  }

  async #run(pod: PodManifest): Promise<void> {
    const { name } = pod.metadata;
    const message = this.unschedulable;
    if (message !== undefined) {
      const refused = { type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message };
      this.pods.put({ ...pod, status: { phase: 'Pending', conditions: [refused] } });
      return;
    }
    if (this.unpullable !== undefined) {
      const containerStatuses = [{ name: 'sandbox', state: { waiting: this.unpullable } }];
      this.pods.put({ ...pod, status: { phase: 'Pending', containerStatuses } });
      return;
    }
    try {
      const session = await openPod(this.options, pod);
      this.#sessions.set(name, session);
      const current = this.pods.get(name);
      if (!current) return await session.destroy();
      const containerStatuses = [{ name: 'sandbox', state: { running: {} } }];
      this.pods.put({ ...current, status: { phase: 'Running', containerStatuses } });
    } catch (error) {
      this.pods.put({ ...pod, status: { phase: 'Failed', message: String(error) } });
    }
  }

  #watch(response: ServerResponse, fieldSelector: string): void {
    const name = fieldSelector.replace(/^metadata\.name=/, '');
    response.writeHead(200, { 'content-type': 'application/json' }).flushHeaders();
    const send = (change: object) => response.write(`${JSON.stringify(change)}\n`);
    const current = this.pods.get(name);
    if (current) send({ type: 'ADDED', object: current });
    const stop = this.pods.watch((change) => {
      if (change.object.metadata.name === name) send(change);
    });
    response.once('close', stop);
  }

  #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const url = new URL(request.url ?? '/', 'http://cluster');
    const [, namespace, , name = '', verb] = PATH.exec(url.pathname) ?? [];
    if (namespace === BUILDS && verb === '/attach') {
      this.#sockets.handleUpgrade(request, socket, head, (opened) => this.builds.attach(opened, name));
      return;
    }
    const session = this.#sessions.get(name);
    const isKnown = verb === '/exec' && request.headers.authorization === `Bearer ${this.token}`;
    if (!session || !isKnown) {
      socket.end('HTTP/1.1 404 Not Found\r\n\r\n');
      return;
    }
    const command = url.searchParams.getAll('command');
    this.#sockets.handleUpgrade(request, socket, head, (opened) => {
      const ended = command[1] === 'probe' ? this.#probe(name) : this.insideExit;
      if (ended !== undefined) {
        opened.send(Buffer.concat([Buffer.from([3]), Buffer.from(JSON.stringify(statusOf(ended)))]));
        opened.close();
      } else {
        void serveExec(opened, session, command);
      }
    });
  }

  /** The exit code of a probe: 0 where it would have reached something. */
  #probe(name: string): number {
    const { network = 'enforced' } = this.options;
    if (network !== 'enforced') return network === 'unreachable' ? 1 : 0;
    const labels = this.pods.get(name)?.metadata.labels ?? {};
    const selecting = this.policies
      .list()
      .filter(({ spec }) =>
        Object.entries(spec.podSelector.matchLabels).every(([key, value]) => labels[key] === value),
      );
    return selecting.length === 0 || selecting.some(({ spec }) => spec.egress.length > 0) ? 0 : 1;
  }
}

function reply(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** Objects of one kind in one namespace, with the events of a watch. */
class ObjectStore<T extends KubernetesObject> {
  readonly #objects = new Map<string, T>();
  readonly #changes = new EventEmitter().setMaxListeners(0);
  #version = 0;

  get(name: string): T | undefined {
    return this.#objects.get(name);
  }

  list(labelSelector = ''): T[] {
    const wanted = labelSelector === '' ? [] : labelSelector.split(',').map((term) => term.split('='));
    return [...this.#objects.values()].filter((object) =>
      wanted.every(([key = '', value]) => object.metadata.labels?.[key] === value),
    );
  }

  put(object: T): T {
    const resourceVersion = String(++this.#version);
    const stored = { ...object, metadata: { ...object.metadata, resourceVersion } };
    const type = this.#objects.has(object.metadata.name) ? 'MODIFIED' : 'ADDED';
    this.#objects.set(object.metadata.name, stored);
    this.#changes.emit('change', { type, object: stored });
    return stored;
  }

  delete(name: string): boolean {
    const object = this.#objects.get(name);
    this.#objects.delete(name);
    if (object) this.#changes.emit('change', { type: 'DELETED', object });
    return object !== undefined;
  }

  /** Returns what stops it. */
  watch(listener: (change: { type: string; object: T }) => void): () => void {
    this.#changes.on('change', listener);
    return () => this.#changes.off('change', listener);
  }
}
