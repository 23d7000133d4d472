import type { PreparedImage, PrepareOptions } from '../image.js';
import { SharedWork, unlessAborted } from '../packages/shared-work.js';
import { INSIDE_PATH } from '../remote/remote-sandbox.js';
import { SandboxError } from '../sandbox-error.js';
import type { KubernetesApi } from './api.js';
import { canaryName, canaryPod, outputInCanary, startCanary } from './canary.js';
import { ownStatus } from './objects.js';
import type { KubernetesOptions } from './options.js';
import { removePod } from './pods.js';

/** Large images take long to arrive at a node. */
const PULL_MS = 15 * 60_000;
const IMAGES_MAX = 1_000;
/** Variables that the cluster and its runtime add to those of an image. */
const OF_THE_CLUSTER = /^(?:HOSTNAME|KUBERNETES_.*)$/;
const HOMES_OF_RUNTIMES = ['/', '/root'];

/** Images of packs. Nodes pull them, so that a small pod of each shows whether they can, and what is in it. */
export class PodImages {
  readonly #prepared = new Map<string, PreparedImage>();
  readonly #work = new SharedWork<PreparedImage>();

  constructor(
    private readonly api: KubernetesApi,
    private readonly options: KubernetesOptions,
  ) {}

  /** Why this cluster does not run images; undefined where it does. */
  async problem(): Promise<string | undefined> {
    const { api, options } = this;
    const refused = await api.problemOf(
      canaryPod({ api, options, name: canaryName(), image: options.image }),
    );
    if (refused !== undefined && /exceeded quota/.test(refused)) {
      throw new SandboxError('unavailable', 'the namespace of sandboxes has no quota left', {
        cause: new Error(refused),
      });
    }
    return refused;
  }

  /** Throws `invalid_image` or `unavailable`. */
  async prepare(reference: string, { signal, onProgress }: PrepareOptions = {}): Promise<PreparedImage> {
    const known = this.#prepared.get(reference);
    if (known !== undefined) return known;
    await checkReference(reference);
    onProgress?.({ phase: 'pull' });
    return await unlessAborted(
      signal,
      this.#work.do(reference, () => this.#prepare(reference)),
    );
  }

  async #prepare(image: string): Promise<PreparedImage> {
    const { api } = this;
    const options = { ...this.options, startTimeoutMs: PULL_MS };
    const name = canaryName();
    try {
      const { status } = await startCanary({ api, options, name, image });
      const { exitCode, stdout } = await outputInCanary(api, name, [INSIDE_PATH, 'environment']);
      if (exitCode !== 0) throw new Error(`the environment of an image cannot be read: exit ${exitCode}`);
      const [digest = ''] = /sha256:[0-9a-f]{64}/.exec(ownStatus(status)?.imageID ?? '') ?? [];
      const prepared = { reference: image, digest, env: environmentOf(stdout) };
      if (this.#prepared.size >= IMAGES_MAX) this.#prepared.clear();
      this.#prepared.set(image, prepared);
      return prepared;
    } catch (cause) {
      if (cause instanceof SandboxError) throw cause;
      throw new SandboxError('unavailable', `no pod of the image ${image} starts`, { cause });
    } finally {
      await removePod(api, name);
    }
  }
}

/** The API server refuses some malformed names, and a node others, each with an error of its own. */
async function checkReference(reference: string): Promise<void> {
  const { ImageError, parseReference } = await import('@agentclash/images');
  try {
    parseReference(reference);
  } catch (error) {
    if (!(error instanceof ImageError)) throw error;
    const { code, message, fix } = error;
    throw new SandboxError(code, message, fix === undefined ? {} : { fix });
  }
}

/** The variables of the image, out of those that its containers start with. */
export function environmentOf(text: Buffer): Readonly<Record<string, string>> {
  const pairs = text
    .toString()
    .split('\0')
    .filter((pair) => pair.includes('='))
    .map((pair): [string, string] => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]);
  return Object.fromEntries(
    pairs.filter(
      ([name, value]) =>
        !OF_THE_CLUSTER.test(name) && !(name === 'HOME' && HOMES_OF_RUNTIMES.includes(value)),
    ),
  );
}
