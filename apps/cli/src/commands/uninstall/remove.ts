import { readdir, rm, rmdir } from 'node:fs/promises';
import path from 'node:path';
import type { FoundItem } from './inspect.js';

/** An item after its removal, or with the reason why it stays. */
export interface RemovedItem extends FoundItem {
  removed: boolean;
}

/** Removes what is ours of an item. `rm` removes links, and never what they refer to. */
export async function removeItem(item: FoundItem): Promise<RemovedItem> {
  if (item.keeps !== undefined) return { ...item, removed: false };
  try {
    if (item.kind === 'control group') await removeGroups(item.path);
    else if (item.isOurs === undefined) await rm(item.path, { recursive: true });
    else await removeEntries(item);
    await removeEmptyParent(item);
    return { ...item, removed: true };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const next = code === 'EACCES' || code === 'EPERM' ? 'repeat this as its owner' : message;
    return { ...item, removed: false, keeps: `it cannot be removed (${code}): ${next}` };
  }
}

async function removeEntries({ path: folder, own, others }: FoundItem): Promise<void> {
  for (const name of own) await rm(path.join(folder, name), { recursive: true, force: true, maxRetries: 3 });
  if (others.length === 0) await rmdir(folder);
}

/** A group with processes in it stays, and so do those above it: the kernel refuses their removal. */
async function removeGroups(folder: string): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true });
  for (const entry of entries) if (entry.isDirectory()) await removeGroups(path.join(folder, entry.name));
  await rmdir(folder);
}

/** `…/agentclash/sandbox` leaves `…/agentclash`, which is ours by its name. */
async function removeEmptyParent({ path: folder }: FoundItem): Promise<void> {
  const parent = path.dirname(folder);
  if (/^agentclash(-\d+)?$/.test(path.basename(parent))) await rmdir(parent).catch(() => undefined);
}
