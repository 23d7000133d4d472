import { readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import type { ReapReport } from '../contract.js';
import { Cgroup, cgroupIds } from './cgroup.js';
import type { CgroupLayout } from './cgroup-layout.js';
import { imageFile } from './disk-image.js';
import type { LiveRecords } from './live-records.js';

export interface ReapScope {
  stateDir: string;
  records: LiveRecords;
  layout?: CgroupLayout;
  buildDirectory: string;
}

/**
 * Cleanup after dead owners: removes their processes, cgroups and records. A sandbox's processes die with their owner anyway
 * (bwrap follows its parent, the first process the end of its input); this is for what outlives even that.
 */
export async function reap({ stateDir, records, layout, buildDirectory }: ReapScope): Promise<ReapReport> {
  const removed: string[] = [];
  const orphans = await records.orphans();
  if (orphans.length === 0) return { removed };
  await killUids(new Set(orphans.map((orphan) => orphan.uid).filter((uid) => uid !== undefined)));
  const known = layout ? new Set(await cgroupIds(layout)) : new Set<string>();
  for (const orphan of orphans) {
    if (layout && known.has(orphan.id)) await Cgroup.existing(layout, orphan.id).remove();
    await rm(imageFile(stateDir, orphan.id), { force: true });
    await rm(path.join(buildDirectory, orphan.id), { recursive: true, force: true });
    records.release(orphan);
    removed.push(orphan.id);
  }
  return { removed };
}

/** Sandbox uids belong to sandboxes alone, so every process under an orphaned one may go. */
async function killUids(uids: ReadonlySet<number>): Promise<void> {
  if (uids.size === 0) return;
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const status = await readFile(`/proc/${name}/status`, 'utf8').catch(() => '');
    const uid = Number(/^Uid:\t(\d+)/m.exec(status)?.[1]);
    if (!uids.has(uid)) continue;
    try {
      process.kill(Number(name), 'SIGKILL');
    } catch {
      // ended meanwhile
    }
  }
}
