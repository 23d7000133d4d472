import type { LocalImages } from '../local-images.js';
import { SandboxError } from '../sandbox-error.js';
import type { DaemonAddress } from './daemon-address.js';
import { Engine } from './engine.js';
import { EngineImages } from './engine-images.js';
import type { EngineInfo, ImageDetails } from './engine-objects.js';
import { BUILT_NAME, BUILT_REPOSITORY, isOurs, LOADED_REPOSITORY, lastUse } from './image-cache.js';
import { machineOf } from './inside-volume.js';
import { LoadedImages } from './loaded-images.js';

interface DaemonImagesOptions {
  address: DaemonAddress;
  credentials: Readonly<Record<string, { username: string; password: string }>>;
  bytesMax: number | undefined;
  pulls: boolean;
  /** The digest that a tag means now. */
  pin: (name: string, signal: AbortSignal | undefined) => Promise<string>;
}

/** The images of packs on a Docker daemon, for the command line. Throws `unavailable` where no daemon responds. */
export async function openDaemonImages(options: DaemonImagesOptions): Promise<LocalImages> {
  const engine = new Engine(options.address);
  const info = await engine.get<EngineInfo>('/info');
  const problems: unknown[] = [];
  const images = new EngineImages(engine, {
    ...options,
    machine: machineOf(info),
    onProblem: (_, cause) => problems.push(cause),
  });
  return {
    load: (file, progress) => new LoadedImages(engine, images).load(file, progress),
    pull: async (given, { signal, ...progress } = {}) => {
      const reference = given.includes('@') ? given : await options.pin(given, signal);
      const { bytes = 0 } = await images.prepare(reference, { ...progress, ...(signal && { signal }) });
      return { reference, bytes };
    },
    list: async () => {
      const now = engine.now();
      return (await images.cache.list()).map((image) => ({
        reference: referenceOf(image),
        digest: referenceOf(image).split('@')[1] ?? image.Id,
        names: (image.RepoTags ?? []).filter((tag) => !isOurs(tag)),
        bytes: image.Size,
        unusedMs: Math.max(0, now - lastUse(image)),
      }));
    },
    remove: async (reference) => {
      const found = await images.find(reference);
      if (found === undefined || !(found.RepoTags ?? []).some(isOurs)) return false;
      if (await images.cache.remove(found)) return true;
      const fix = 'remove it when the containers and images that need it are gone';
      throw new SandboxError('unavailable', `the image ${reference} is in use on the daemon`, { fix });
    },
    close: () => {},
  };
}

/** By which a pack may name it. The name is of no account where the digest is known. */
function referenceOf({ Id, RepoTags, RepoDigests }: ImageDetails): string {
  const [ofRegistry] = RepoDigests ?? [];
  if (ofRegistry !== undefined) return ofRegistry;
  const ours = (RepoTags ?? []).find(isOurs) ?? '';
  const [repository = '', tag = ''] = ours.split(':');
  if (repository === LOADED_REPOSITORY) return `${repository}@sha256:${tag}`;
  return `${repository === BUILT_REPOSITORY ? BUILT_NAME : repository}@${Id}`;
}
