import { readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';

/** A file of each layer; its time is that of the last use. */
export const LAYER_FACTS = 'layer.json';
const DAY_MS = 24 * 60 * 60_000;
const UNUSED_MS_MAX = 14 * DAY_MS;
/** Users of a layer renew its time every minute. */
const IN_USE_MS = 10 * 60_000;

interface Layer {
  directory: string;
  bytes: number;
  unusedMs: number;
}

interface Budget {
  bytesMax: number;
  /** Directories that stay in any case. */
  keep: ReadonlySet<string>;
}

/** Only one process at a time may call this. Removes layers that were unused for long, or that are too many. */
export async function evict(directory: string, { bytesMax, keep }: Budget): Promise<void> {
  const layers = await layersIn(directory);
  for (const layer of layersToEvict(layers, { bytesMax, keep })) await remove(directory, layer);
}

/** The entries to delete: expired ones, then the longest unused until the rest fits. None that may be in use. */
export function layersToEvict(layers: readonly Layer[], { bytesMax, keep }: Budget): string[] {
  const idle = layers.filter(({ directory, unusedMs }) => !keep.has(directory) && unusedMs > IN_USE_MS);
  let bytes = layers.reduce((sum, layer) => sum + layer.bytes, 0);
  const gone: string[] = [];
  for (const layer of idle.sort((a, b) => b.unusedMs - a.unusedMs)) {
    if (layer.unusedMs <= UNUSED_MS_MAX && bytes <= bytesMax) break;
    bytes -= layer.bytes;
    gone.push(layer.directory);
  }
  return gone;
}

/** Deletes the partial files of processes that crashed. Only the holder of the lock may call this. */
export async function removeLeftovers(directory: string): Promise<void> {
  const left = (await readdir(directory)).filter((name) => /^(build|gone)-/.test(name));
  await Promise.all(left.map((name) => rm(path.join(directory, name), { recursive: true, force: true })));
}

async function layersIn(directory: string): Promise<Layer[]> {
  const names = (await readdir(directory)).filter((name) => name.startsWith('layer-'));
  return await Promise.all(names.map((name) => layerAt(path.join(directory, name))));
}

async function layerAt(directory: string): Promise<Layer> {
  const file = path.join(directory, LAYER_FACTS);
  try {
    const { bytes } = JSON.parse(await readFile(file, 'utf8')) as { bytes: number };
    const { mtimeMs } = await stat(file);
    return { directory, bytes, unusedMs: Date.now() - mtimeMs };
  } catch {
    return { directory, bytes: 0, unusedMs: Number.POSITIVE_INFINITY };
  }
}

/** Renamed first: a layer is there in full or not at all. */
async function remove(parent: string, layer: string): Promise<void> {
  const gone = path.join(parent, `gone-${path.basename(layer)}`);
  await rename(layer, gone);
  await rm(gone, { recursive: true, force: true });
}
