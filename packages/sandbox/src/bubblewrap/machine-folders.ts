import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { defaultPaths } from '../host/config.js';
import { parseCgroupMounts } from './cgroup-layout.js';
import { CGROUP_NAME } from './host.js';

/** Where sandboxes of this machine keep things unless settings name other directories. */
export interface SandboxFolders {
  isRoot: boolean;
  stateDir: string;
  /** Of root alone, in each hierarchy that is mounted. */
  controlGroups: string[];
}

export function sandboxFolders(): SandboxFolders {
  const isRoot = process.getuid?.() === 0;
  const { stateDir } = defaultPaths(isRoot);
  return { isRoot, stateDir, controlGroups: isRoot ? groups() : [] };
}

function groups(): string[] {
  const file = '/proc/self/mountinfo';
  const mounts = existsSync(file) ? parseCgroupMounts(readFileSync(file, 'utf8')) : [];
  return [...new Set(mounts.map(({ mountPoint }) => path.join(mountPoint, CGROUP_NAME)))].filter((group) =>
    existsSync(group),
  );
}
