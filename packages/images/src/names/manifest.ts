import { z } from 'zod';
import { invalidImage } from '../image-error.js';
import { isDigest } from './reference.js';

const Digest = z.string().refine(isDigest, 'not sha256: and 64 hexadecimal digits');

const Descriptor = z.object({
  mediaType: z.string().max(200),
  digest: Digest,
  size: z.int().nonnegative(),
});
/** A blob by its digest; size in bytes. */
export type Descriptor = z.infer<typeof Descriptor>;

const PlatformDescriptor = Descriptor.extend({
  platform: z.object({ architecture: z.string(), os: z.string(), variant: z.string().optional() }).optional(),
  annotations: z.record(z.string(), z.string()).optional(),
});
export type PlatformDescriptor = z.infer<typeof PlatformDescriptor>;

const Index = z.object({ manifests: z.array(PlatformDescriptor).max(1_000) });
const Manifest = z.object({ config: Descriptor, layers: z.array(Descriptor).min(1) });
export type Manifest = z.infer<typeof Manifest>;

const Config = z.object({
  architecture: z.string(),
  os: z.string(),
  config: z
    .object({
      Env: z.array(z.string()).nullish(),
      WorkingDir: z.string().nullish(),
      User: z.string().nullish(),
    })
    .nullish(),
  rootfs: z.object({ type: z.literal('layers'), diff_ids: z.array(Digest) }),
});

/** The parts of an image's configuration that a sandbox uses. */
export interface ImageConfig {
  architecture: string;
  env: Record<string, string>;
  workingDirectory?: string;
  /** Of its commands. */
  user?: string;
  diffIds: string[];
}

/** More cannot be mounted over each other in one page of options. */
const LAYERS_MAX = 128;
/** Of a manifest, an index or a configuration. */
export const DOCUMENT_BYTES_MAX = 4 * 1024 * 1024;

export const INDEX_TYPES = [
  'application/vnd.oci.image.index.v1+json',
  'application/vnd.docker.distribution.manifest.list.v2+json',
];
export const MANIFEST_TYPES = [
  'application/vnd.oci.image.manifest.v1+json',
  'application/vnd.docker.distribution.manifest.v2+json',
];

const ARCHITECTURES: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' };
/** As images name it. */
export const OWN_ARCHITECTURE = ARCHITECTURES[process.arch] ?? process.arch;

const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** An index or a manifest; which one its content shows, as media types are often missing. Throws `invalid_image`. */
export function readDocument(
  text: string,
  of: string,
): { index: PlatformDescriptor[] } | { manifest: Manifest } {
  const value = parsed(text, of);
  const isIndex = typeof value === 'object' && value !== null && 'manifests' in value;
  if (isIndex) return { index: checked(Index, value, of).manifests };
  const manifest = checked(Manifest, value, of);
  if (manifest.layers.length > LAYERS_MAX) {
    const count = manifest.layers.length;
    throw invalidImage(`${of} has ${count} layers: ${LAYERS_MAX} are possible`, 'build it with fewer layers');
  }
  return { manifest };
}

/** Throws `invalid_image` where none is for this machine. */
export function forThisMachine(index: readonly PlatformDescriptor[], of: string): PlatformDescriptor {
  const isOurs = ({ platform }: PlatformDescriptor) =>
    platform === undefined || (platform.os === 'linux' && platform.architecture === OWN_ARCHITECTURE);
  const found = index.find(isOurs);
  if (found !== undefined) return found;
  const has = index.map(({ platform }) => `${platform?.os}/${platform?.architecture}`).join(', ');
  throw wrongArchitecture(of, has === '' ? 'nothing' : has);
}

/** Of an image's configuration, as in `linux/amd64`. Throws `invalid_image`. */
export function configPlatform(text: string, of: string): string {
  const { architecture, os } = checked(Config, parsed(text, of), `the configuration of ${of}`);
  return `${os}/${architecture}`;
}

/** Throws `invalid_image`: malformed, for another architecture, or not of the manifest. */
export function readConfig(text: string, manifest: Manifest, of: string): ImageConfig {
  const { architecture, os, config, rootfs } = checked(
    Config,
    parsed(text, of),
    `the configuration of ${of}`,
  );
  if (os !== 'linux' || architecture !== OWN_ARCHITECTURE)
    throw wrongArchitecture(of, `${os}/${architecture}`);
  if (rootfs.diff_ids.length !== manifest.layers.length) {
    throw invalidImage(
      `${of}: its configuration names ${rootfs.diff_ids.length} layers, its manifest ${manifest.layers.length}`,
    );
  }
  const variables = (config?.Env ?? []).map((entry) => {
    const at = entry.indexOf('=');
    return [entry.slice(0, at), entry.slice(at + 1)] as const;
  });
  return {
    architecture,
    env: Object.fromEntries(
      variables.filter(([name, value]) => VARIABLE.test(name) && !value.includes('\0')),
    ),
    ...(config?.WorkingDir ? { workingDirectory: config.WorkingDir } : {}),
    ...(config?.User ? { user: config.User } : {}),
    diffIds: rootfs.diff_ids,
  };
}

function wrongArchitecture(of: string, has: string) {
  return invalidImage(
    `${of} is for ${has}, and this machine is linux/${OWN_ARCHITECTURE}`,
    `name an image for linux/${OWN_ARCHITECTURE}`,
  );
}

function parsed(text: string, of: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalidImage(`${of} is no JSON document`);
  }
}

function checked<T>(shape: z.ZodType<T>, value: unknown, of: string): T {
  const result = shape.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw invalidImage(`${of} is malformed at ${issue?.path.join('.') || 'its top'}: ${issue?.message}`);
}
