import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { toolEnvironment } from '../host/config.js';
import type { NativeTools } from '../host/native-tools.js';
import type { PreparedImage, PrepareOptions } from '../image.js';
import type { ResolvedSpec } from '../resolved-spec.js';
import { SandboxError } from '../sandbox-error.js';
import { BASE_ENV, ROOT_HOME } from './arguments.js';
import type { Shortfall } from './host.js';
import type { BuiltImages } from './image-builds.js';
import { FIRST_RANGE } from './live-records.js';

const run = promisify(execFile);

/** An image whose layers are directories of this host. */
export interface UnpackedImage extends PreparedImage {
  /** The lowest first. Owners of files are those of the image, from 0 on. */
  layers: readonly string[];
  /** Until then the layers stay. Idempotent. */
  release(): void;
}

/** Where the images of sandboxes come from. */
export interface UnpackedImages {
  /** Throws `invalid_image` or `unavailable`. */
  prepare(reference: string, options?: PrepareOptions): Promise<UnpackedImage>;
  /** Absent: Dockerfiles are not built. */
  built?: BuiltImages;
  close?(): void;
}

/** Where the launcher mounts the root of an image, in the mount namespace of each sandbox. */
export function rootPoint(stateDir: string): string {
  return path.join(stateDir, 'root');
}

/** Mounts an empty image as sandboxes do; the shortfall has the reason why that is not possible. */
export async function findImageRoots(
  tools: NativeTools,
  { stateDir, isRoot }: { stateDir: string; isRoot: boolean },
): Promise<{ canMount: boolean; shortfalls: Shortfall[] }> {
  if (!isRoot) return cannot('that needs root');
  try {
    await mkdir(rootPoint(stateDir), { recursive: true });
    const disk = path.join(stateDir, 'disk');
    const mounts = [
      '--disk',
      disk,
      '1048576',
      '100',
      '--root',
      disk,
      rootPoint(stateDir),
      rootPoint(stateDir),
      ';',
    ];
    const options = { env: toolEnvironment(), cwd: '/' };
    await run(tools.launcher, ['--uid', String(FIRST_RANGE), ...mounts, '--', '/bin/true'], options);
    return { canMount: true, shortfalls: [] };
  } catch (error) {
    const { stderr = '' } = error as { stderr?: string };
    return cannot(stderr.trim() || 'their layers cannot be mounted');
  }
}

function cannot(reason: string): { canMount: boolean; shortfalls: Shortfall[] } {
  const problem = `packs with images are not run: ${reason}`;
  return { canMount: false, shortfalls: [{ problem, fix: 'run as root on Linux 5.19 or newer' }] };
}

const ROOT_ENV = { HOME: ROOT_HOME, USER: 'root', LOGNAME: 'root' };

/** The environment that every command of a sandbox starts from; that of an image wins. */
export function baseEnvironment(
  spec: ResolvedSpec,
  image: PreparedImage | undefined,
): Readonly<Record<string, string>> {
  return { ...BASE_ENV, ...(spec.image?.runAsRoot ? ROOT_ENV : {}), ...image?.env };
}

const LAYERS_MAX = 128;

/** The launcher takes so many. */
export function checkLayers({ layers, reference }: UnpackedImage): void {
  if (layers.length > 0 && layers.length <= LAYERS_MAX) return;
  const message = `the image ${reference} has ${layers.length} layers: 1 to ${LAYERS_MAX} are possible`;
  throw new SandboxError('invalid_image', message, { fix: 'build it with fewer layers' });
}
