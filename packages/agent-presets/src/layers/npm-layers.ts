import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import type { LockedPackage } from '../preset.js';
import { LayerError, type PackageSource, unpackPackage } from './npm-package.js';

/** Changes when layers are made in another way. */
const FORMAT = 1;
const DOWNLOADS_AT_ONCE = 8;
const FACTS = 'layer.json';
const BUILDING = 'building-';

const factsSchema = z.object({
  name: z.string(),
  packages: z.array(z.object({ name: z.string(), version: z.string() })),
  bytes: z.number(),
  files: z.number(),
  created_at: z.string(),
});

export interface InstalledLayer extends z.infer<typeof factsSchema> {
  /** First 16 hex digits of the digest of everything that it is made from. */
  digest: string;
  /** The folder that holds the packages. */
  root: string;
}

export interface LayerContent {
  name: string;
  packages: readonly LockedPackage[];
  /** The only file of each package that is needed, by its path in the package; default: all. */
  only?: string;
}

export interface LayerProgress {
  done: number;
  total: number;
}

/**
 * Read-only folders of npm packages, each made once from exact versions whose digests are checked. No script of a
 * package runs. Several processes may share the directory.
 */
export class NpmLayers {
  private readonly building = new Map<string, Promise<InstalledLayer>>();

  constructor(private readonly options: { directory: string } & PackageSource) {}

  /** The layer, made when it is not there. Throws LayerError, and the signal's reason. */
  async ensure(
    content: LayerContent,
    { signal, onProgress }: { signal: AbortSignal; onProgress?: (progress: LayerProgress) => void },
  ): Promise<InstalledLayer> {
    const directory = this.directoryOf(content);
    const installed = await readLayer(directory);
    if (installed) return installed;
    const running = this.building.get(directory);
    if (running) return await running;
    const building = this.build(content, directory, { signal, ...(onProgress && { onProgress }) });
    this.building.set(directory, building);
    try {
      return await building;
    } finally {
      this.building.delete(directory);
    }
  }

  /** The layer if it has been made. */
  async find(content: LayerContent): Promise<InstalledLayer | undefined> {
    return await readLayer(this.directoryOf(content));
  }

  /** All layers, by name and time. */
  async list(): Promise<InstalledLayer[]> {
    const { directory } = this.options;
    const names = existsSync(directory) ? await readdir(directory) : [];
    const layers = await Promise.all(names.map((name) => readLayer(path.join(directory, name))));
    return layers
      .filter((layer) => layer !== undefined)
      .sort((a, b) => a.name.localeCompare(b.name) || a.created_at.localeCompare(b.created_at));
  }

  /** Removes every layer of a name; the number of those that were there. */
  async remove(name: string): Promise<number> {
    const layers = (await this.list()).filter((layer) => layer.name === name);
    for (const { root } of layers) await rm(path.dirname(root), { recursive: true, force: true });
    return layers.length;
  }

  private directoryOf({ name, packages, only }: LayerContent): string {
    const facts = packages
      .map(({ path: at, integrity }) => [at, integrity])
      .sort(([a = ''], [b = '']) => (a < b ? -1 : 1));
    const digest = createHash('sha256').update(JSON.stringify([FORMAT, facts, only ?? null]));
    return path.join(this.options.directory, `${name}-${digest.digest('hex').slice(0, 16)}`);
  }

  private async build(
    { name, packages, only }: LayerContent,
    target: string,
    { signal, onProgress }: { signal: AbortSignal; onProgress?: (progress: LayerProgress) => void },
  ): Promise<InstalledLayer> {
    const { directory } = this.options;
    const folder = await newFolder(directory);
    // Sandboxes read it under users of their own.
    await chmod(folder, 0o755);
    const failed = new AbortController();
    const ending = AbortSignal.any([signal, failed.signal]);
    try {
      let [done, bytes, files] = [0, 0, 0];
      const queue = [...packages];
      const work = async () => {
        for (let next = queue.shift(); next; next = queue.shift()) {
          ending.throwIfAborted();
          const into = path.join(folder, 'node_modules', next.path);
          const unpacked = await unpackPackage(next, {
            ...this.options,
            into,
            signal: ending,
            ...(only && { only }),
          });
          bytes += unpacked.bytes;
          files += unpacked.files;
          done += 1;
          onProgress?.({ done, total: packages.length });
        }
      };
      const workers = Array.from({ length: DOWNLOADS_AT_ONCE }, () =>
        work().catch((error: unknown) => {
          failed.abort(error);
          throw error;
        }),
      );
      const results = await Promise.allSettled(workers);
      signal.throwIfAborted();
      if (failed.signal.aborted) throw failed.signal.reason;
      for (const result of results) if (result.status === 'rejected') throw result.reason;
      const facts = {
        name,
        packages: packages.map(({ name: of, version }) => ({ name: of, version })),
        bytes,
        files,
        created_at: new Date().toISOString(),
      };
      await writeFile(path.join(folder, FACTS), JSON.stringify(facts));
      await rename(folder, target).catch((error: NodeJS.ErrnoException) => {
        // Another process has made the same layer meanwhile.
        if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
      });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
    const layer = await readLayer(target);
    if (layer === undefined) throw new Error(`the layer ${target} is not there`);
    return layer;
  }
}

/** An empty folder in the directory. Throws LayerError when the operator has to change something. */
async function newFolder(directory: string): Promise<string> {
  try {
    await mkdir(directory, { recursive: true, mode: 0o755 });
    return await mkdtemp(path.join(directory, BUILDING));
  } catch (cause) {
    const { message } = cause as Error;
    throw new LayerError(
      `packages of coding agents cannot be kept in ${directory}: ${message}. Name another directory by AGENT_PACKAGES_DIR`,
      { cause, isPermanent: true },
    );
  }
}

async function readLayer(directory: string): Promise<InstalledLayer | undefined> {
  if (path.basename(directory).startsWith(BUILDING)) return undefined;
  const text = await readFile(path.join(directory, FACTS), 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const facts = factsSchema.safeParse(parsed(text));
  if (!facts.success) return undefined;
  const digest = path.basename(directory).slice(facts.data.name.length + 1);
  return { ...facts.data, digest, root: path.join(directory, 'node_modules') };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
