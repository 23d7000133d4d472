import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Egress } from '@agentclash/egress';
import type { ImageSource, ImageStore } from '@agentclash/images';
import { z } from 'zod';
import type { UnpackedImages } from '../bubblewrap/image-roots.js';
import { defaultPaths } from '../host/config.js';
import type { LocalImages } from '../local-images.js';
import { SandboxError } from '../sandbox-error.js';
import { Variables } from './variables.js';

const OfImages = Variables.pick({
  SANDBOX_PROVIDER: true,
  DOCKER_HOST: true,
  DOCKER_TLS_VERIFY: true,
  DOCKER_CERT_PATH: true,
  SANDBOX_IMAGES_DIR: true,
  SANDBOX_IMAGES_BYTES_MAX: true,
  SANDBOX_IMAGE_LAYOUTS: true,
  SANDBOX_REGISTRIES: true,
  SANDBOX_REGISTRY_CREDENTIALS: true,
});
type ImageVariables = z.infer<typeof OfImages>;
type StoreVariables = Omit<ImageVariables, 'SANDBOX_PROVIDER'>;

const Credentials = z.record(z.string(), z.strictObject({ username: z.string(), password: z.string() }));

/** The images of this machine as the provider needs them; undefined where it can have none. Throws `unavailable`. */
export async function openImages(
  given: StoreVariables,
  egress: Egress | undefined,
): Promise<(UnpackedImages & { close(): void }) | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const store = await openImageStore(given, egress);
  return {
    prepare: (reference, options) => asSandboxError(store.prepare(reference, options)),
    built: {
      find: (name) => asSandboxError(store.find(name)),
      export: (reference, target) => asSandboxError(store.export(reference, target)),
      load: (file, options) => asSandboxError(store.load(file, options)),
    },
    close: () => store.close(),
  };
}

/**
 * The images of the executor of this machine, whose variables are `environment`. Throws `unavailable` with what to do, and
 * every method `ImageError` or SandboxError.
 */
export async function openLocalImages(
  environment: Readonly<Record<string, string | undefined>>,
): Promise<LocalImages> {
  const set = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const given = OfImages.parse(set);
  const { SANDBOX_PROVIDER: provider } = given;
  if (provider === 'docker') return await openImagesOfDaemon(given, environment);
  if (provider !== 'bubblewrap') {
    const fix =
      'push it with its digest, for instance by `skopeo copy --preserve-digests oci-archive:FILE docker://NAME`';
    throw new SandboxError('unavailable', `images of sandboxes of ${provider} come from a registry`, { fix });
  }
  if (process.getuid?.() !== 0) {
    const fix = 'run the command as root, as the executor is run';
    throw new SandboxError('unavailable', 'images are kept by root', { fix });
  }
  const store = await openImageStore(given, await operatorEgress(environment));
  return {
    load: (file, options) => store.load(file, options),
    pull: async (name, options) => {
      const reference = await store.pinned(name, options?.signal);
      const image = await store.prepare(reference, options);
      image.release();
      return { reference, bytes: image.bytes };
    },
    list: () => store.list(),
    remove: (reference) => store.remove(reference),
    close: () => store.close(),
  };
}

async function openImagesOfDaemon(
  given: ImageVariables,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<LocalImages> {
  const [{ openDaemonImages }, { daemonAddress }] = await Promise.all([
    import('../docker/daemon-images.js'),
    import('../docker/daemon-address.js'),
  ]);
  return await openDaemonImages({
    address: daemonAddress(given),
    credentials: await credentialsOf(given.SANDBOX_REGISTRY_CREDENTIALS),
    bytesMax: given.SANDBOX_IMAGES_BYTES_MAX,
    pulls: given.SANDBOX_REGISTRIES === 'any',
    pin: (name, signal) => pinnedImage(name, environment, signal),
  });
}

/** The guarded client with the settings of an operator, as executors have it. Throws for settings that are not valid. */
export async function operatorEgress(
  environment: Readonly<Record<string, string | undefined>>,
): Promise<Egress> {
  const { createEgress, parseEgressSettings } = await import('@agentclash/egress');
  const { EGRESS_PRIVATE, EGRESS_DENY, EGRESS_PORTS, OPERATOR_UNLOCK } = environment;
  const settings = parseEgressSettings({ EGRESS_PRIVATE, EGRESS_DENY, EGRESS_PORTS, OPERATOR_UNLOCK });
  return createEgress({ settings });
}

/**
 * The image that a name means now, by its digest, as layouts and registries of the operator know it; needs no root. Throws
 * SandboxError.
 */
export async function pinnedImage(
  name: string,
  environment: Readonly<Record<string, string | undefined>>,
  signal?: AbortSignal,
): Promise<string> {
  const { pinImage } = await import('@agentclash/images');
  const sources = await sourcesOf(OfImages.parse(environment), await operatorEgress(environment));
  return await asSandboxError(pinImage(name, sources, signal));
}

/** Needs root. Without `egress` no registry is queried. */
async function openImageStore(given: StoreVariables, egress?: Egress): Promise<ImageStore> {
  const { ImageStore } = await import('@agentclash/images');
  const directory = given.SANDBOX_IMAGES_DIR ?? path.join(defaultPaths(true).cacheDir, 'images');
  return await ImageStore.open({
    directory,
    sources: await sourcesOf(given, egress),
    ...(given.SANDBOX_IMAGES_BYTES_MAX !== undefined && { bytesMax: given.SANDBOX_IMAGES_BYTES_MAX }),
  });
}

async function sourcesOf(given: StoreVariables, egress: Egress | undefined): Promise<ImageSource[]> {
  const { LayoutSource, RegistrySource } = await import('@agentclash/images');
  const credentials = await credentialsOf(given.SANDBOX_REGISTRY_CREDENTIALS);
  const registries =
    given.SANDBOX_REGISTRIES === 'any' && egress ? [new RegistrySource({ egress, credentials })] : [];
  return [...given.SANDBOX_IMAGE_LAYOUTS.map((each) => new LayoutSource(each)), ...registries];
}

/** Throws `unavailable`. */
export async function credentialsOf(file: string | undefined): Promise<z.infer<typeof Credentials>> {
  if (file === undefined) return {};
  try {
    return Credentials.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch (cause) {
    const fix = 'write {"REGISTRY": {"username": "…", "password": "…"}}';
    throw new SandboxError('unavailable', `the credentials of registries in ${file} cannot be read`, {
      cause,
      fix,
    });
  }
}

async function asSandboxError<T>(work: Promise<T>): Promise<T> {
  const { ImageError } = await import('@agentclash/images');
  return await work.catch((error: unknown) => {
    if (!(error instanceof ImageError)) throw error;
    const { code, message, fix, cause } = error;
    throw new SandboxError(code, message, { cause, ...(fix === undefined ? {} : { fix }) });
  });
}
