import { once } from 'node:events';
import { type Agent, request, WebSocket } from 'undici';
import { serviceAgent } from '../remote/service-agent.js';
import { SandboxError } from '../sandbox-error.js';
import type { ApiAccess } from './config.js';
import type { KubernetesObject, KubernetesPod } from './objects.js';
import type { PodManifest } from './pod-objects.js';

const REQUEST_MS = 30_000;
const REFUSED = [400, 403, 422];
const NOT_FOUND = 404;
const CONFLICT = 409;

type Kind = 'pods' | 'networkpolicies' | 'sandboxes' | 'jobs' | 'configmaps';
const GROUPS: Record<Kind, string> = {
  pods: 'api/v1',
  configmaps: 'api/v1',
  jobs: 'apis/batch/v1',
  networkpolicies: 'apis/networking.k8s.io/v1',
  sandboxes: 'apis/agents.x-k8s.io/v1beta1',
};

const STREAMS = { stdin: 'true', stdout: 'true', stderr: 'true', tty: 'false' };

function asPod(pod: PodManifest): object {
  return { apiVersion: 'v1', kind: 'Pod', ...pod };
}

interface Sent {
  body?: object;
  signal: AbortSignal;
  /** Codes of refusals that are no error. */
  expected?: readonly number[];
}

/** The few calls to a cluster's API that sandboxes need. All throw `unavailable` when the cluster does not do it. */
export class KubernetesApi {
  readonly #agent: Agent;
  /** Between the cluster's clock, read from its responses, and this process's monotonic one. */
  #clockOffsetMs = Date.now() - performance.now();

  constructor(
    private readonly access: ApiAccess,
    private readonly namespace: string,
  ) {
    this.#agent = serviceAgent(access.ca === undefined ? {} : { ca: access.ca });
  }

  /** The same cluster, another namespace. */
  in(namespace: string): KubernetesApi {
    return new KubernetesApi(this.access, namespace);
  }

  /** By the cluster's clock: leases are judged by other processes, and the clock of a machine may jump. */
  now(): number {
    return performance.now() + this.#clockOffsetMs;
  }

  createPod(pod: PodManifest, signal?: AbortSignal): Promise<KubernetesPod> {
    return this.create<KubernetesPod>('pods', asPod(pod), signal);
  }

  create<T extends KubernetesObject>(kind: Kind, body: object, signal?: AbortSignal): Promise<T> {
    return this.#call('POST', this.#path(kind), { body, ...(signal && { signal }) });
  }

  /** Undefined where there is one of the same name. */
  createUnlessThere<T extends KubernetesObject>(
    kind: Kind,
    body: object,
    signal: AbortSignal,
  ): Promise<T | undefined> {
    return this.#call('POST', this.#path(kind), { body, signal, absent: [CONFLICT] });
  }

  find<T extends KubernetesObject>(kind: Kind, name: string): Promise<T | undefined> {
    return this.#find<T>(this.#path(kind, name));
  }

  async list<T extends KubernetesObject>(kind: Kind, labelSelector: string): Promise<T[]> {
    const query = new URLSearchParams({ labelSelector });
    const { items } = await this.#call<{ items: T[] }>('GET', `${this.#path(kind)}?${query}`);
    return items;
  }

  async patch(kind: Kind, name: string, body: object): Promise<void> {
    await this.#call('PATCH', this.#path(kind, name), { body });
  }

  /** Absent is fine. */
  async delete(kind: Kind, name: string): Promise<void> {
    await this.#find(this.#path(kind, name), 'DELETE');
  }

  /** With what belongs to it, unless another has taken its name. Absent is fine. */
  async deleteWithDependents(kind: Kind, name: string, uid: string): Promise<void> {
    const body = { preconditions: { uid }, propagationPolicy: 'Background' };
    await this.#call('DELETE', this.#path(kind, name), { body, absent: [NOT_FOUND, CONFLICT] });
  }

  /** Why the cluster would not create such a pod; undefined where it would. Nothing is created. */
  problemOf(pod: PodManifest): Promise<string | undefined> {
    return this.problemOfNew('pods', asPod(pod));
  }

  /** The same of any object. */
  async problemOfNew(kind: Kind, body: object): Promise<string | undefined> {
    const path = `${this.#path(kind)}?dryRun=All`;
    const options = { body, expected: [...REFUSED, NOT_FOUND, CONFLICT] };
    const reply = await this.#call<{ kind?: string; code?: number; message?: string }>('POST', path, options);
    if (reply.kind !== 'Status' || reply.code === CONFLICT) return undefined;
    return reply.message ?? 'it is refused';
  }

  getPod(name: string): Promise<KubernetesPod | undefined> {
    return this.#find(this.#path('pods', name));
  }

  listPods(labelSelector: string): Promise<KubernetesPod[]> {
    return this.list<KubernetesPod>('pods', labelSelector);
  }

  /** Ends its processes at once. Absent is fine. */
  async deletePod(name: string): Promise<void> {
    await this.#find(`${this.#path('pods', name)}?gracePeriodSeconds=0`, 'DELETE');
  }

  /** The states of one pod from now on, until it is deleted or the loop is left. */
  async *watchPod(name: string, signal: AbortSignal): AsyncGenerator<KubernetesPod> {
    const query = new URLSearchParams({ watch: 'true', fieldSelector: `metadata.name=${name}` });
    const { body } = await this.#send('GET', `${this.#path('pods')}?${query}`, { signal });
    let text = '';
    // A chunk may end within a character, which only a decoder with memory puts together.
    const decoder = new TextDecoder();
    for await (const chunk of body) {
      const lines = (text + decoder.decode(chunk as Buffer, { stream: true })).split('\n');
      text = lines.pop() ?? '';
      for (const line of lines) {
        const { type, object } = JSON.parse(line) as { type: string; object: KubernetesPod };
        if (type === 'DELETED') return;
        yield object;
      }
    }
  }

  /** Creates it, or puts it in place of one of the same name. */
  async putNetworkPolicy(policy: KubernetesObject): Promise<void> {
    const path = this.#path('networkpolicies', policy.metadata.name);
    const existing = await this.#find<KubernetesObject>(path);
    if (existing === undefined) {
      await this.create('networkpolicies', policy);
      return;
    }
    const { resourceVersion } = existing.metadata;
    const metadata = { ...policy.metadata, ...(resourceVersion === undefined ? {} : { resourceVersion }) };
    await this.#call('PUT', path, { body: { ...policy, metadata } });
  }

  /** The output of a container as it comes, until it ends. */
  async log(pod: string, container: string, signal: AbortSignal): Promise<AsyncIterable<Buffer>> {
    const query = new URLSearchParams({ container, follow: 'true' });
    const { body } = await this.#send('GET', `${this.#path('pods', pod)}/log?${query}`, { signal });
    return body;
  }

  /** One command in a container, over a socket with the protocol `channel.k8s.io`. */
  exec(pod: string, container: string, command: readonly string[]): Promise<WebSocket> {
    const query = new URLSearchParams({ container, ...STREAMS });
    for (const part of command) query.append('command', part);
    return this.#open(`${this.#path('pods', pod)}/exec?${query}`);
  }

  /** The streams of what a container runs. */
  attach(pod: string, container: string): Promise<WebSocket> {
    const query = new URLSearchParams({ container, ...STREAMS });
    return this.#open(`${this.#path('pods', pod)}/attach?${query}`);
  }

  async #open(path: string): Promise<WebSocket> {
    const url = `${this.access.url.replace(/^http/, 'ws')}${path}`;
    const socket = new WebSocket(url, {
      protocols: ['v5.channel.k8s.io', 'v4.channel.k8s.io'],
      headers: await this.#headers(),
      dispatcher: this.#agent,
    });
    socket.binaryType = 'arraybuffer';
    const failed = new AbortController();
    try {
      const signal = AbortSignal.any([failed.signal, AbortSignal.timeout(REQUEST_MS)]);
      socket.addEventListener('close', () => failed.abort(), { once: true });
      await once(socket, 'open', { signal });
      return socket;
    } catch (cause) {
      socket.close();
      throw new SandboxError('unavailable', 'the cluster opens no stream into a sandbox', { cause });
    }
  }

  async close(): Promise<void> {
    await this.#agent.destroy();
  }

  #path(kind: Kind, name?: string): string {
    const all = `/${GROUPS[kind]}/namespaces/${encodeURIComponent(this.namespace)}/${kind}`;
    return name === undefined ? all : `${all}/${encodeURIComponent(name)}`;
  }

  async #find<T>(path: string, method: 'GET' | 'DELETE' = 'GET'): Promise<T | undefined> {
    return this.#call<T | undefined>(method, path, { absent: [NOT_FOUND, CONFLICT] });
  }

  async #call<T>(
    method: string,
    path: string,
    options: Omit<Sent, 'signal'> & { signal?: AbortSignal; absent?: readonly number[] } = {},
  ): Promise<T> {
    const { absent = [], expected = [], ...sent } = options;
    const timeout = AbortSignal.timeout(REQUEST_MS);
    const signal = sent.signal ? AbortSignal.any([sent.signal, timeout]) : timeout;
    const { body, status } = await this.#send(method, path, {
      ...sent,
      signal,
      expected: [...expected, ...absent],
    });
    const text = await body.text();
    return (absent.includes(status) ? undefined : JSON.parse(text)) as T;
  }

  async #send(method: string, path: string, { body, signal, expected = [] }: Sent) {
    try {
      const response = await request(`${this.access.url}${path}`, {
        method,
        dispatcher: this.#agent,
        signal,
        bodyTimeout: 0,
        headers: {
          ...(await this.#headers()),
          'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json',
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const { statusCode: status } = response;
      const dated = Date.parse(String(response.headers.date ?? ''));
      if (!Number.isNaN(dated)) this.#clockOffsetMs = dated - performance.now();
      if (status < 300 || expected.includes(status)) return { body: response.body, status };
      throw new Error(`${method} ${path}: ${status} ${(await response.body.text()).slice(0, 500)}`);
    } catch (cause) {
      signal.throwIfAborted();
      throw new SandboxError('unavailable', 'the cluster does not do what a sandbox needs', { cause });
    }
  }

  async #headers(): Promise<Record<string, string>> {
    const { token } = this.access;
    return token === undefined ? {} : { authorization: `Bearer ${await token()}` };
  }
}
