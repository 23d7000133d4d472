import { setTimeout as pause } from 'node:timers/promises';
import type { WebSocket } from 'undici';
import { outputLines } from '../bubblewrap/output-lines.js';
import { LAST_LINES } from '../builds/build-failure.js';
import type { ImageProgress } from '../image.js';
import { SandboxError } from '../sandbox-error.js';
import type { KubernetesApi } from './api.js';
import { sendContext } from './build-context-stream.js';
import { type BuildStep, endedFromOutside, startProblem, stepFailure } from './build-errors.js';
import { type BuilderOptions, type BuildPlan, PUSH_MS, START_MS } from './build-job.js';
import type { KubernetesPod } from './objects.js';

const POLL_MS = 500;
/** After the end of a container, for the rest of its output. */
const OUTPUT_MS = 5_000;
const STEPS: readonly BuildStep[] = ['context', 'bases', 'build', 'push'];

interface Context {
  directory: string;
  dockerfile: { name: string; text: string };
}
interface Followed {
  plan: BuildPlan;
  /** Of the job. */
  uid: string;
  onProgress: (progress: ImageProgress) => void;
}

/** One job of a build, from its creation to its end. */
export class BuildWatch {
  readonly #stop = new AbortController();
  /** One after the other, so that progress is in order. */
  #lastOutput: Promise<void> = Promise.resolve();
  readonly #outputs = new Map<BuildStep, string[]>();
  #timer: NodeJS.Timeout | undefined;
  #phase: 'start' | 'build' | 'push' | undefined;
  #input: WebSocket | undefined;
  #latest: KubernetesPod | undefined;

  constructor(
    private readonly api: KubernetesApi,
    private readonly options: BuilderOptions,
    private readonly followed: Followed,
  ) {}

  /**
   * The digest of the pushed image; undefined where the job was deleted. `context` is written to the pod where this process has
   * created it. Throws SandboxError.
   */
  async result(context: Context | undefined, signal: AbortSignal): Promise<string | undefined> {
    const ended = AbortSignal.any([signal, this.#stop.signal]);
    try {
      this.#enter('start');
      const name = await this.#podName(ended);
      if (name === undefined) return undefined;
      return await this.#followPod(name, context, ended);
    } catch (error) {
      signal.throwIfAborted();
      throw this.#stop.signal.aborted ? this.#stop.signal.reason : error;
    } finally {
      clearTimeout(this.#timer);
      this.#stop.abort();
      this.#input?.close();
    }
  }

  async #podName(signal: AbortSignal): Promise<string | undefined> {
    const { uid, plan } = this.followed;
    for (;;) {
      const [pod] = await this.api.listPods(`batch.kubernetes.io/controller-uid=${uid}`);
      if (pod !== undefined) return pod.metadata.name;
      const job = await this.api.find('jobs', plan.name);
      if (job?.metadata.uid !== uid) return undefined;
      await pause(POLL_MS, undefined, { signal });
    }
  }

  async #followPod(
    name: string,
    context: Context | undefined,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    let unsent = context;
    for (;;) {
      // A watch reports changes only, and ends whenever the server likes.
      const current = await this.api.getPod(name);
      if (current === undefined) return undefined;
      const watching = new AbortController();
      try {
        for await (const pod of this.#states(name, current, AbortSignal.any([signal, watching.signal]))) {
          this.#latest = pod;
          if (unsent !== undefined && isRunning(pod, 'context')) {
            void this.#send(name, unsent, signal);
            unsent = undefined;
          }
          this.#observe(name, pod, signal);
          const digest = await this.#ending(pod);
          if (digest !== undefined) return digest;
        }
      } finally {
        watching.abort();
      }
      signal.throwIfAborted();
      await pause(POLL_MS, undefined, { signal });
    }
  }

  async *#states(name: string, current: KubernetesPod, signal: AbortSignal): AsyncGenerator<KubernetesPod> {
    yield current;
    yield* this.api.watchPod(name, signal);
  }

  #observe(name: string, pod: KubernetesPod, signal: AbortSignal): void {
    for (const step of STEPS) {
      if (this.#outputs.has(step) || !hasBegun(pod, step)) continue;
      const lines: string[] = [];
      this.#lastOutput = this.#lastOutput.then(() => this.#follow(name, { step, lines, signal }));
      this.#outputs.set(step, lines);
      if (step === 'build') this.#enter('build');
      if (step === 'push') this.#enter('push');
    }
  }

  async #send(name: string, context: Context, signal: AbortSignal): Promise<void> {
    try {
      this.#input = await sendContext(this.api, name, { ...context, container: 'context', signal });
    } catch (error) {
      this.#stop.abort(error);
    }
  }

  /** Output that cannot be read is missing in progress and errors alone. */
  async #follow(
    name: string,
    { step, lines, signal }: { step: BuildStep; lines: string[]; signal: AbortSignal },
  ): Promise<void> {
    try {
      for await (const line of outputLines(await this.api.log(name, step, signal))) {
        lines.push(line);
        if (lines.length > LAST_LINES) lines.shift();
        this.followed.onProgress({ phase: step === 'build' || step === 'push' ? 'build' : 'pull', line });
      }
    } catch {}
  }

  /** The digest once the pod has succeeded. Throws once it has failed. */
  async #ending(pod: KubernetesPod): Promise<string | undefined> {
    const problem = startProblem(pod, this.options);
    if (problem !== undefined) throw problem;
    for (const step of STEPS) {
      const { exitCode = 0, reason } = stateOf(pod, step)?.terminated ?? {};
      // The node ends all containers of a pod that it evicts.
      if (exitCode === 0 || pod.status?.reason !== undefined) continue;
      await this.#allOutput();
      throw stepFailure({ step, exitCode, reason, lines: this.#outputs.get(step) ?? [] }, this.options);
    }
    if (pod.status?.phase === 'Failed') throw endedFromOutside(pod, this.options);
    if (pod.status?.phase !== 'Succeeded') return undefined;
    await this.#allOutput();
    const { message = '' } = stateOf(pod, 'push')?.terminated ?? {};
    const [digest] = /^sha256:[0-9a-f]{64}$/.exec(message.trim()) ?? [];
    if (digest === undefined)
      throw stepFailure({ step: 'push', exitCode: 0, reason: '', lines: [message] }, this.options);
    return digest;
  }

  async #allOutput(): Promise<void> {
    await Promise.race([this.#lastOutput, pause(OUTPUT_MS, undefined, { ref: false })]);
  }

  /** Each phase has a limit, which holds whatever the pod does. */
  #enter(phase: 'start' | 'build' | 'push'): void {
    if (this.#phase === phase) return;
    this.#phase = phase;
    clearTimeout(this.#timer);
    const { timeoutMs } = this.followed.plan;
    const ms = { start: START_MS, build: timeoutMs, push: PUSH_MS }[phase];
    this.#timer = setTimeout(() => this.#stop.abort(this.#overdue(phase, ms)), ms);
  }

  #overdue(phase: 'start' | 'build' | 'push', ms: number): SandboxError {
    if (phase === 'build') return new SandboxError('invalid_image', `the build did not end within ${ms} ms`);
    const { namespace, repository } = this.options;
    const { name } = this.followed.plan;
    if (phase === 'push') {
      const message = `the image of a build did not arrive in ${repository} within ${ms} ms`;
      return new SandboxError('unavailable', message);
    }
    const refused = this.#latest?.status?.conditions?.find(({ status }) => status === 'False');
    return new SandboxError('unavailable', `no build began in the cluster within ${ms} ms`, {
      cause: new Error(`${refused?.reason ?? 'no pod'}: ${refused?.message ?? `of the job ${name}`}`),
      fix: `see \`kubectl -n ${namespace} get events\`: the quota, the security standard and the nodes have to admit pods of builds`,
    });
  }
}

function stateOf({ status }: KubernetesPod, step: BuildStep) {
  const statuses = [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])];
  return statuses.find(({ name }) => name === step)?.state;
}

function isRunning(pod: KubernetesPod, step: BuildStep): boolean {
  return stateOf(pod, step)?.running !== undefined;
}

function hasBegun(pod: KubernetesPod, step: BuildStep): boolean {
  return isRunning(pod, step) || stateOf(pod, step)?.terminated !== undefined;
}
