import type { IncomingMessage, ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import type { WebSocket } from 'ws';
import type { KubernetesObject, KubernetesPod } from '../../kubernetes/objects.js';

export type FakeStep = 'context' | 'bases' | 'build' | 'push';

/** The end of a step's container. Default: it ends at once without output. */
export interface StepOutcome {
  output?: string;
  exitCode?: number;
  reason?: string;
  /** Its termination message. */
  message?: string;
  /** It runs until its job is deleted. */
  isEndless?: boolean;
}

export interface FakeJob extends KubernetesObject {
  spec: {
    template: {
      metadata: KubernetesObject['metadata'];
      spec: {
        initContainers: { name: FakeStep; command: string[]; env?: { name: string; value: string }[] }[];
        containers: { name: FakeStep; command: string[] }[];
      };
    };
  };
}

type BuildPod = KubernetesPod & { job: string };

/** The jobs of one namespace, whose pods run steps one after the other as a test describes them. */
export class FakeBuilds {
  /** By step, of all jobs that begin from now on. */
  outcomes: Partial<Record<FakeStep, StepOutcome>> = {};
  /** Why the cluster admits no job. */
  denial: string | undefined;
  /** Data of the ConfigMap of records; undefined: there is none. */
  records: Record<string, string> | undefined = {};
  /** All that were created. */
  readonly created: FakeJob[] = [];
  /** The bytes that the input of each pod got. */
  readonly inputs: Buffer[] = [];
  readonly jobs = new Map<string, FakeJob>();
  readonly pods = new Map<string, BuildPod>();
  readonly #watchers = new Set<(name: string, object: BuildPod, type: string) => void>();
  readonly #wakeInput = new Map<string, () => void>();
  readonly #outputs = new Map<string, { ended: Promise<void>; end: () => void; text: string }>();
  #uids = 0;

  async onJobs(
    request: IncomingMessage,
    response: ServerResponse,
    { url, name }: { url: URL; name: string | undefined },
  ): Promise<void> {
    const isDryRun = url.searchParams.get('dryRun') === 'All';
    const known = name === undefined ? undefined : this.jobs.get(name);
    if (request.method === 'POST') {
      const job = (await json(request)) as FakeJob;
      if (this.denial !== undefined)
        reply(response, 403, { kind: 'Status', code: 403, message: this.denial });
      else if (isDryRun) reply(response, 201, job);
      else if (this.jobs.has(job.metadata.name)) reply(response, 409, { kind: 'Status', code: 409 });
      else reply(response, 201, this.#create(job));
    } else if (name === undefined || known === undefined) {
      reply(response, name === undefined ? 200 : 404, { items: [...this.jobs.values()] });
    } else if (request.method === 'DELETE') {
      const { preconditions } = (await json(request)) as { preconditions: { uid: string } };
      if (preconditions.uid !== known.metadata.uid)
        return reply(response, 409, { kind: 'Status', code: 409 });
      this.removeJob(name);
      reply(response, 200, known);
    } else reply(response, 200, known);
  }

  /** As its executor, or the cluster, does. */
  removeJob(name: string): void {
    this.jobs.delete(name);
    for (const [pod, object] of this.pods) {
      if (object.job !== name) continue;
      this.pods.delete(pod);
      for (const watch of this.#watchers) watch(pod, object, 'DELETED');
      for (const [key, output] of this.#outputs) if (key.startsWith(`${pod}/`)) output.end();
    }
  }

  onPods(response: ServerResponse, { url, name }: { url: URL; name: string | undefined }): void {
    if (name !== undefined && url.pathname.endsWith('/log')) {
      void this.#onLog(response, url, name);
      return;
    }
    if (url.searchParams.get('watch') === 'true') {
      this.#onWatch(response, url);
      return;
    }
    if (name === undefined) {
      const [key = '', value] = (url.searchParams.get('labelSelector') ?? '').split('=');
      const items = [...this.pods.values()].filter(
        ({ metadata }) => key === '' || metadata.labels?.[key] === value,
      );
      reply(response, 200, { items });
      return;
    }
    const pod = this.pods.get(name);
    reply(response, pod === undefined ? 404 : 200, pod ?? {});
  }

  async onRecords(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (this.records === undefined) return reply(response, 404, {});
    if (request.method === 'PATCH') {
      const { data } = (await json(request)) as { data: Record<string, string | null> };
      const merged = Object.entries({ ...this.records, ...data }).filter(([, value]) => value !== null);
      this.records = Object.fromEntries(merged) as Record<string, string>;
    }
    reply(response, 200, { metadata: { name: 'agentclash-builds' }, data: this.records });
  }

  /** Takes as many bytes as the container reads. */
  attach(socket: WebSocket, pod: string): void {
    const job = this.jobs.get(this.pods.get(pod)?.job ?? '');
    const script = job?.spec.template.spec.initContainers[0]?.command[2] ?? '';
    const wanted = Number(/head -c (\d+)/.exec(script)?.[1]);
    const chunks: Buffer[] = [];
    socket.on('message', (message: Buffer) => {
      if (message[0] === 0) chunks.push(message.subarray(1));
      const all = Buffer.concat(chunks);
      if (all.length < wanted) return;
      this.inputs.push(all);
      this.#wakeInput.get(pod)?.();
    });
  }

  #create(given: FakeJob): FakeJob {
    const uid = `uid-${++this.#uids}`;
    const job = { ...given, metadata: { ...given.metadata, uid } };
    this.jobs.set(job.metadata.name, job);
    this.created.push(job);
    const name = `${job.metadata.name}-${uid}`;
    const labels = { ...job.spec.template.metadata.labels, 'batch.kubernetes.io/controller-uid': uid };
    this.#put(name, { metadata: { name, labels }, job: job.metadata.name, status: { phase: 'Pending' } });
    void this.#run(name, this.outcomes);
    return job;
  }

  async #run(pod: string, outcomes: FakeBuilds['outcomes']): Promise<void> {
    const ended: { name: string; state: object }[] = [];
    for (const step of ['context', 'bases', 'build', 'push'] as const) {
      const { output = '', exitCode = 0, reason = 'Completed', message, isEndless } = outcomes[step] ?? {};
      const gate = promise();
      this.#outputs.set(`${pod}/${step}`, { text: output, ended: gate.done, end: gate.resolve });
      const input = promise();
      if (step === 'context') this.#wakeInput.set(pod, input.resolve);
      this.#change(pod, 'Running', [...ended, { name: step, state: { running: {} } }]);
      if (step === 'context') await input.done;
      if (isEndless) return;
      gate.resolve();
      const terminated = { exitCode, reason, ...(message === undefined ? {} : { message }) };
      ended.push({ name: step, state: { terminated } });
      const isLast = exitCode !== 0 || step === 'push';
      this.#change(pod, isLast ? (exitCode === 0 ? 'Succeeded' : 'Failed') : 'Running', ended);
      if (isLast) return;
    }
  }

  #change(
    name: string,
    phase: 'Running' | 'Succeeded' | 'Failed',
    containers: { name: string; state: object }[],
  ): void {
    const pod = this.pods.get(name);
    if (pod === undefined) return;
    const isPush = ({ name: step }: { name: string }) => step === 'push';
    this.#put(name, {
      ...pod,
      status: {
        phase,
        initContainerStatuses: containers.filter((each) => !isPush(each)),
        containerStatuses: containers.filter(isPush),
      },
    });
  }

  /** Ends a pod as its node does. */
  evict(message: string): void {
    for (const [name, pod] of this.pods) {
      this.#put(name, { ...pod, status: { ...pod.status, phase: 'Failed', reason: 'Evicted', message } });
    }
  }

  #put(name: string, pod: BuildPod): void {
    this.pods.set(name, pod);
    for (const watch of this.#watchers) watch(name, pod, 'MODIFIED');
  }

  #onWatch(response: ServerResponse, url: URL): void {
    const wanted = (url.searchParams.get('fieldSelector') ?? '').replace('metadata.name=', '');
    response.writeHead(200, { 'content-type': 'application/json' }).flushHeaders();
    const send = (name: string, object: BuildPod, type: string) => {
      if (name === wanted) response.write(`${JSON.stringify({ type, object })}\n`);
    };
    const current = this.pods.get(wanted);
    if (current) send(wanted, current, 'ADDED');
    this.#watchers.add(send);
    response.once('close', () => this.#watchers.delete(send));
  }

  async #onLog(response: ServerResponse, url: URL, name: string): Promise<void> {
    const output = this.#outputs.get(`${name}/${url.searchParams.get('container')}`);
    response.writeHead(output === undefined ? 404 : 200).write(output?.text ?? '');
    await output?.ended;
    response.end();
  }
}

function promise(): { done: Promise<void>; resolve: () => void } {
  let resolve = () => {};
  const done = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { done, resolve };
}

function reply(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
