import { lstat, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { type MadeItem, STACK_MARKERS } from './made-here.js';

/** An item that is there, with the reason why it stays, if it does. */
export interface FoundItem extends MadeItem {
  bytes: number;
  /** Entries that are removed. */
  own: readonly string[];
  /** Entries of others, which keep their folder. */
  others: readonly string[];
  keeps?: string;
}

/** The items that exist. Links are neither followed nor removed; nothing below a mount is. */
export async function findItems(items: readonly MadeItem[]): Promise<FoundItem[]> {
  const machine = { mounts: await mountPoints(), isUsed: await isUsed(items) };
  const found = await Promise.all(items.map((item) => findItem(item, machine)));
  return found.filter((item) => item !== undefined);
}

interface MachineState {
  mounts: readonly string[];
  /** True while a sandbox is recorded, or a process that opens some: it executes programs of the cache. */
  isUsed: boolean;
}

async function findItem(item: MadeItem, machine: MachineState): Promise<FoundItem | undefined> {
  const stats = await lstat(item.path).catch(() => undefined);
  if (stats === undefined) return undefined;
  if (stats.isSymbolicLink()) return { ...item, ...NOTHING, keeps: 'it is a link: remove it yourself' };
  if (!stats.isDirectory())
    return { ...item, ...NOTHING, keeps: 'it is no folder, which this product makes there' };
  const names = await readdir(item.path).catch(() => undefined);
  if (names === undefined)
    return { ...item, ...NOTHING, keeps: 'it cannot be read: repeat this as its owner' };
  const own = names.filter((name) => item.isOurs?.(name) ?? true);
  const others = names.filter((name) => !own.includes(name));
  if (item.kind === 'stack' && !names.some((name) => STACK_MARKERS.includes(name))) return undefined;
  if (own.length === 0 && others.length > 0) return undefined;
  const keeps = reasonToKeep(item, machine);
  const bytes =
    item.kind === 'control group' ? 0 : await sizeOf(own.map((name) => path.join(item.path, name)));
  return { ...item, bytes, own, others, ...(keeps !== undefined && { keeps }) };
}

const NOTHING = { bytes: 0, own: [], others: [] } as const;

function reasonToKeep({ kind, path: folder }: MadeItem, machine: MachineState): string | undefined {
  const mounted = machine.mounts.find((mount) => mount === folder || mount.startsWith(`${folder}/`));
  if (mounted !== undefined) return `${mounted} is mounted: umount ${mounted}`;
  if (!machine.isUsed || kind === 'stack' || kind === 'settings') return undefined;
  return 'a run or an executor of this machine has sandboxes, or opens some: end it. The next start of one removes records of dead ones';
}

async function isUsed(items: readonly MadeItem[]): Promise<boolean> {
  const { liveProcesses } = await import('@agentclash/sandbox');
  const states = items.filter(({ kind }) => kind === 'sandbox state');
  const live = await Promise.all(
    states.map(async ({ path: folder }) => [
      ...(await readdir(path.join(folder, 'live')).catch(() => [])),
      ...(await liveProcesses(folder)),
    ]),
  );
  return live.flat().length > 0;
}

/** Bytes on the disk, without what links refer to. Entries that vanish meanwhile count as none. */
async function sizeOf(files: readonly string[]): Promise<number> {
  let bytes = 0;
  for (const file of files) {
    const stats = await lstat(file).catch(() => undefined);
    if (stats === undefined) continue;
    bytes += stats.blocks * BLOCK_BYTES;
    if (!stats.isDirectory()) continue;
    const names = await readdir(file).catch(() => []);
    bytes += await sizeOf(names.map((name) => path.join(file, name)));
  }
  return bytes;
}

const BLOCK_BYTES = 512;

/** Of this machine; none where it has no /proc. */
async function mountPoints(): Promise<string[]> {
  const text = await readFile('/proc/self/mountinfo', 'utf8').catch(() => '');
  return text.split('\n').flatMap((line) => {
    const point = line.split(' ')[4];
    return point === undefined
      ? []
      : [point.replace(/\\(\d{3})/g, (_all, octal) => String.fromCharCode(Number.parseInt(octal, 8)))];
  });
}
