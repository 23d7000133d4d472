import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { x as extract, type ReadEntry } from 'tar';
import type { LockedPackage } from '../preset.js';

export interface PackageSource {
  /** Base address of a registry, as in `https://registry.npmjs.org`. */
  registry: string;
  /** Sent as bearer token to that registry only. */
  token?: string | undefined;
}

/** A layer that cannot be made; the message names the package, the cause and what to do. */
export class LayerError extends Error {
  override readonly name = 'LayerError';
  /** Trying again does not help: the preset or the configuration has to change first. */
  readonly isPermanent: boolean;

  constructor(message: string, { isPermanent, ...options }: ErrorOptions & { isPermanent: boolean }) {
    super(message, options);
    this.isPermanent = isPermanent;
  }
}

/** The largest package of the presets unpacks to 404 MiB. */
const PACKED_BYTES_MAX = 512 * 1024 ** 2;
const UNPACKED_BYTES_MAX = 2 * 1024 ** 3;
const FILES_MAX = 100_000;
const TIMEOUT_MS = 10 * 60_000;

interface UnpackOrder extends PackageSource {
  into: string;
  only?: string;
  signal: AbortSignal;
}

/**
 * Downloads one package, checks its digest, and unpacks regular files and directories; links and devices are left out.
 * The files are complete only when it resolves. Throws LayerError.
 */
export async function unpackPackage(
  { name, version, integrity }: LockedPackage,
  { registry, token, into, only, signal }: UnpackOrder,
): Promise<{ bytes: number; files: number }> {
  const label = `${name}@${version}`;
  const url = tarballAddress(registry, name, version);
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
  const response = await fetch(url, {
    redirect: 'follow',
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    signal: deadline,
  }).catch((cause: unknown) => {
    signal.throwIfAborted();
    const message = `${label} cannot be downloaded from ${registry}: is the registry reachable? AGENT_PACKAGES_REGISTRY names another one`;
    throw new LayerError(message, { cause, isPermanent: false });
  });
  if (!response.ok || response.body === null) {
    await response.body?.cancel();
    throw refusedDownload(label, registry, response.status);
  }
  const hash = createHash('sha512');
  let packed = 0;
  let [bytes, files] = [0, 0];
  const check = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      packed += chunk.length;
      hash.update(chunk);
      done(
        packed > PACKED_BYTES_MAX ? tooLarge(label, `has more than ${PACKED_BYTES_MAX / MIB} MiB`) : null,
        chunk,
      );
    },
  });
  await mkdir(into, { recursive: true, mode: 0o755 });
  const unpack = extract({
    cwd: into,
    strip: 1,
    strict: true,
    preserveOwner: false,
    filter: (at, entry) => {
      const { type, size, mode } = entry as ReadEntry;
      if (type !== 'File' && type !== 'OldFile' && type !== 'Directory') return false;
      if (only !== undefined && at.slice(at.indexOf('/') + 1) !== only) return false;
      if (type !== 'Directory') {
        files += 1;
        // Install scripts, which never run here, make some programs of packages executable.
        if (mode !== undefined) (entry as ReadEntry).mode = mode | 0o111;
      }
      bytes += size;
      if (bytes > UNPACKED_BYTES_MAX || files > FILES_MAX) {
        const limits = `${UNPACKED_BYTES_MAX / MIB} MiB or ${FILES_MAX} files`;
        check.destroy(tooLarge(label, `unpacks to more than ${limits}`));
        return false;
      }
      return true;
    },
  });
  try {
    await pipeline(Readable.fromWeb(response.body as never), check, unpack as never, { signal: deadline });
  } catch (cause) {
    signal.throwIfAborted();
    if (cause instanceof LayerError) throw cause;
    const message = `${label} cannot be unpacked: ${(cause as Error).message}`;
    throw new LayerError(message, { cause, isPermanent: false });
  }
  if (`sha512-${hash.digest('base64')}` !== integrity) {
    const message = `${label} of ${registry} is not the package that the preset names: its digest differs. Correct the integrity in the preset, or name the right registry by AGENT_PACKAGES_REGISTRY`;
    throw new LayerError(message, { isPermanent: true });
  }
  return { bytes, files };
}

const MIB = 1024 ** 2;

function tooLarge(label: string, how: string): LayerError {
  return new LayerError(`${label} ${how}: no preset may name it`, { isPermanent: true });
}

/** Statuses that a registry replies to every repetition of a request. */
const NEXT_STEPS: Partial<Record<number, string>> = {
  401: 'set AGENT_PACKAGES_TOKEN to a token of the registry',
  403: 'set AGENT_PACKAGES_TOKEN to a token that may read the package',
  404: 'correct the name or the version in the preset, or name a registry that has it by AGENT_PACKAGES_REGISTRY',
};

function refusedDownload(label: string, registry: string, status: number): LayerError {
  const next = NEXT_STEPS[status];
  const message = `${label} cannot be downloaded from ${registry}: it replied ${status}`;
  return new LayerError(next === undefined ? message : `${message}; ${next}`, {
    isPermanent: next !== undefined,
  });
}

/** Where a registry serves the archive of a package version. */
function tarballAddress(registry: string, name: string, version: string): string {
  const file = `${name.slice(name.indexOf('/') + 1)}-${version}.tgz`;
  return `${registry.replace(/\/+$/, '')}/${name}/-/${file}`;
}
