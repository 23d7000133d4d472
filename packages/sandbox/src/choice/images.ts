import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Egress } from '@agentclash/egress';
import type { ImageSource, ImageStore } from '@agentclash/images';
import { z } from 'zod';
import type { UnpackedImages } from '../bubblewrap/image-roots.js';
import { defaultPaths } from '../host/config.js';
import { SandboxError } from '../sandbox-error.js';
import { Variables } from './variables.js';

const OfImages = Variables.pick({
  SANDBOX_IMAGES_DIR: true,
  SANDBOX_IMAGES_BYTES_MAX: true,
  SANDBOX_IMAGE_LAYOUTS: true,
  SANDBOX_REGISTRIES: true,
  SANDBOX_REGISTRY_CREDENTIALS: true,
});
type ImageVariables = z.infer<typeof OfImages>;

const Credentials = z.record(z.string(), z.strictObject({ username: z.string(), password: z.string() }));

/** The images of this machine as the provider needs them; undefined where it can have none. Throws `unavailable`. */
export async function openImages(
  given: ImageVariables,
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
 * every method of the store `ImageError`.
 */
export async function openLocalImages(
  environment: Readonly<Record<string, string | undefined>>,
): Promise<ImageStore> {
  if (process.getuid?.() !== 0) {
    const fix = 'run the command as root, as the executor is run';
    throw new SandboxError('unavailable', 'images are kept by root', { fix });
  }
  const { createEgress, parseEgressSettings } = await import('@agentclash/egress');
  const { EGRESS_PRIVATE, EGRESS_DENY, EGRESS_PORTS, OPERATOR_UNLOCK } = environment;
  const settings = parseEgressSettings({ EGRESS_PRIVATE, EGRESS_DENY, EGRESS_PORTS, OPERATOR_UNLOCK });
  return await openImageStore(OfImages.parse(environment), createEgress({ settings }));
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
  const { createEgress, parseEgressSettings } = await import('@agentclash/egress');
  const { pinImage } = await import('@agentclash/images');
  const { EGRESS_PRIVATE, EGRESS_DENY, EGRESS_PORTS, OPERATOR_UNLOCK } = environment;
  const settings = parseEgressSettings({ EGRESS_PRIVATE, EGRESS_DENY, EGRESS_PORTS, OPERATOR_UNLOCK });
  const sources = await sourcesOf(OfImages.parse(environment), createEgress({ settings }));
  return await asSandboxError(pinImage(name, sources, signal));
}

/** Needs root. Without `egress` no registry is queried. */
async function openImageStore(given: ImageVariables, egress?: Egress): Promise<ImageStore> {
  const { ImageStore } = await import('@agentclash/images');
  const directory = given.SANDBOX_IMAGES_DIR ?? path.join(defaultPaths(true).cacheDir, 'images');
  return await ImageStore.open({
    directory,
    sources: await sourcesOf(given, egress),
    ...(given.SANDBOX_IMAGES_BYTES_MAX !== undefined && { bytesMax: given.SANDBOX_IMAGES_BYTES_MAX }),
  });
}

async function sourcesOf(given: ImageVariables, egress: Egress | undefined): Promise<ImageSource[]> {
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
