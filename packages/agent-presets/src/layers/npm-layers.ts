import { createHash, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import type { LockedPackage } from '../preset.js';
import { countUses, isMarked, markUse } from './layer-use.js';
import { LayerError, type PackageSource, unpackPackage } from './npm-package.js';

/** Changes when layers are made in another way. */
const FORMAT = 1;
const DOWNLOADS_AT_ONCE = 8;
const FACTS = 'layer.json';
const BUILDING = 'building-';
const REMOVING = 'removing-';
const REMAINS_AGE_MIN_MS = 3_600_000;
/** Folders of these names are no layers, or not yet, or no longer. */
const UNFINISHED = [BUILDING, REMOVING];

/** A layer that sandboxes show is not removed. */
export class LayerInUseError extends Error {
  override readonly name = 'LayerInUseError';

  constructor(
    readonly layer: string,
    /** Sandboxes that show it. */
    readonly uses: number,
  ) {
    super(`${uses} ${uses === 1 ? 'sandbox uses' : 'sandboxes use'} the packages of ${layer}`);
  }
}

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
    await this.deleteRemains();
    const names = existsSync(directory) ? await readdir(directory) : [];
    const layers = await Promise.all(names.map((name) => readLayer(path.join(directory, name))));
    return layers
      .filter((layer) => layer !== undefined)
      .sort((a, b) => a.name.localeCompare(b.name) || a.created_at.localeCompare(b.created_at));
  }

  /**
   * Marks the layers in which these directories lie as in use, so that they are not removed; the returned function
   * ends the use. Throws LayerError for a layer that was removed meanwhile.
   */
  async use(directories: readonly string[]): Promise<() => Promise<void>> {
    const folders = new Set(directories.flatMap((each) => this.folderOf(each) ?? []));
    const ends = await Promise.all([...folders].map(markUse));
    const end = async () => void (await Promise.all(ends.map((each) => each())));
    const removed = [...folders].filter((folder) => !existsSync(path.join(folder, FACTS)));
    if (removed.length === 0) return end;
    await end();
    throw new LayerError(`packages of coding agents were removed meanwhile: ${removed.join(', ')}`, {
      isPermanent: false,
    });
  }

  /** The layer's folder that holds a directory. */
  private folderOf(directory: string): string | undefined {
    const [name = ''] = path.relative(this.options.directory, directory).split(path.sep);
    return name === '' || name === '..' ? undefined : path.join(this.options.directory, name);
  }

  /** Removes every layer of these names, all or, when one is in use, none; the number of those that were there. */
  async remove(...names: string[]): Promise<number> {
    const layers = (await this.list()).filter((layer) => names.includes(layer.name));
    const folders = layers.map(({ root }) => path.dirname(root));
    await this.refuseUsed(layers.map((layer, index) => ({ ...layer, folder: folders[index] ?? '' })));
    const moved: { name: string; folder: string; aside: string }[] = [];
    try {
      for (const [index, { name }] of layers.entries()) {
        const folder = folders[index] ?? '';
        const aside = path.join(this.options.directory, `${REMOVING}${randomUUID()}`);
        await rename(folder, aside);
        moved.push({ name, folder, aside });
      }
      // An attempt may have begun before its layer was moved.
      await this.refuseUsed(moved.map(({ name, aside }) => ({ name, folder: aside })));
    } catch (error) {
      for (const { folder, aside } of moved) await rename(aside, folder);
      throw error;
    }
    await Promise.all(moved.map(({ aside }) => rm(aside, { recursive: true, force: true })));
    await this.deleteRemains();
    return layers.length;
  }

  /** Deletes folders of removals and installations that were interrupted, as far as this process may. */
  private async deleteRemains(): Promise<void> {
    const { directory } = this.options;
    for (const name of await readdir(directory).catch(() => [])) {
      const folder = path.join(directory, name);
      if (await isRemains(folder)) await rm(folder, { recursive: true, force: true }).catch(() => {});
    }
  }

  private async refuseUsed(layers: readonly { name: string; folder: string }[]): Promise<void> {
    for (const { name, folder } of layers) {
      const uses = await countUses(folder);
      if (uses > 0) throw new LayerInUseError(name, uses);
    }
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
    await this.deleteRemains();
    const folder = await newFolder(directory);
    // Sandboxes read it under users of their own.
    await chmod(folder, 0o755);
    const endUse = await markUse(folder);
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
      await endUse();
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

/** True for an unfinished folder that no process completes. */
async function isRemains(folder: string): Promise<boolean> {
  const name = path.basename(folder);
  if (!UNFINISHED.some((prefix) => name.startsWith(prefix))) return false;
  if (name.startsWith(BUILDING) && (await isMarked(folder))) return (await countUses(folder)) === 0;
  const facts = await stat(folder).catch(() => undefined);
  // Another process may be about to move or mark a younger one.
  return facts !== undefined && Date.now() - facts.ctimeMs > REMAINS_AGE_MIN_MS;
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
  if (UNFINISHED.some((prefix) => path.basename(directory).startsWith(prefix))) return undefined;
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
