import { mkdtempSync, readdirSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { packCommand, StackFolder } from '@agentclash/e2e';
import { npmInstall } from '@agentclash/testkit/npm-install';
import type { Figure } from './measurement/report.js';

const MIB = 1024 * 1024;
const INSTALLED_MIB_MAX = 150;

/** The npm package `agentclash`: its archive, and what an empty folder holds after its installation. */
export async function benchInstall(): Promise<Figure[]> {
  const folder = new StackFolder(mkdtempSync(path.join(tmpdir(), 'agentclash-bench-')));
  try {
    const archive = await packCommand(folder);
    const client = await installed(archive, path.join(folder.path, 'client'), ['--omit=optional']);
    const whole = await installed(archive, path.join(folder.path, 'whole'), []);
    return [
      { key: 'archive_mib', name: 'the archive', value: statSync(archive).size / MIB, unit: 'MiB' },
      {
        ...{ key: 'installed_mib', name: 'installed, without servers', value: client.mib, unit: 'MiB' },
        target: INSTALLED_MIB_MAX,
      },
      { key: 'whole_mib', name: 'installed, with PostgreSQL', value: whole.mib, unit: 'MiB' },
      { key: 'install_seconds', name: 'its installation, with PostgreSQL', value: whole.seconds, unit: 's' },
    ];
  } finally {
    folder.remove();
  }
}

async function installed(archive: string, folder: string, options: string[]) {
  const startedAt = performance.now();
  await npmInstall(folder, [archive], options);
  const seconds = (performance.now() - startedAt) / 1000;
  return { seconds, mib: bytesOf(folder) / MIB };
}

/** As the disk counts them. */
function bytesOf(folder: string): number {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(path.join(parentPath, name)).blocks * 512, 0);
}
