// `pnpm migration <app> <name>`: drafts the app's next migration from the difference of its schema.prisma and the
// existing ones.
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startPostgres } from '../../packages/embedded/src/index.ts';
import { migrate } from '../../packages/service-kit/src/index.ts';
import { schemaDrift } from '../../packages/service-kit/src/migrations/drift.ts';
import { repository } from './setup/repository.mjs';

const [app = '', name = ''] = process.argv.slice(2);
const folder = path.join(repository, 'apps', app, 'prisma');
if (app === '' || !existsSync(path.join(folder, 'schema.prisma')) || !/^[a-z][a-z0-9_]*$/.test(name)) {
  console.error('usage: pnpm migration <app> <name_in_snake_case>, for an app with prisma/schema.prisma');
  process.exit(64);
}

const sql = await drift();
if (sql === undefined) {
  console.log(`The migrations of ${app} match its schema.prisma: nothing to draft.`);
} else {
  const stamp = new Date().toISOString().replaceAll(/[-T:]|\..*/g, '');
  const target = path.join(folder, 'migrations', `${stamp}_${name}`);
  await mkdir(target);
  await writeFile(path.join(target, 'migration.sql'), sql);
  console.log(
    `Drafted ${path.relative(repository, target)}/migration.sql. Read it: old and new code must both run on it.`,
  );
}

/** Applies the existing migrations to a database that is thrown away, and compares. */
async function drift() {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'agentclash-migration-'));
  const server = await startPostgres({ dataDir, durability: 'process', log: () => {} });
  try {
    const at = { databaseUrl: server.url(), schema: 'draft', folder };
    await migrate(at);
    return await schemaDrift(at);
  } finally {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}
