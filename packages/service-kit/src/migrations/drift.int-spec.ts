import { existsSync, readdirSync } from 'node:fs';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { freshDatabase } from '@agentclash/testkit';
import { describe, expect, test } from '@jest/globals';
import { schemaDrift } from './drift.js';
import { migrate } from './migrate.js';

const apps = path.resolve(import.meta.dirname, '../../../../apps');
const withDatabase = readdirSync(apps).filter((app) => existsSync(path.join(apps, app, 'prisma/migrations')));
const database = await freshDatabase();

async function driftOf(app: string, folder = path.join(apps, app, 'prisma')): Promise<string | undefined> {
  const at = { databaseUrl: database.url, schema: app.replaceAll('-', '_'), folder };
  await migrate(at);
  return await schemaDrift(at);
}

describe('the migrations of', () => {
  test.each(withDatabase)(
    'the migrations of %s make exactly the tables of its schema.prisma',
    async (app) => {
      expect(await driftOf(app)).toBeUndefined();
    },
  );
});

test('a table that no migration makes is drift, reported as the SQL that would make it', async () => {
  const [app = ''] = withDatabase;
  const folder = await mkdtemp(path.join(os.tmpdir(), 'agentclash-drift-'));
  try {
    await cp(path.join(apps, app, 'prisma'), folder, { recursive: true });
    const more = '\nmodel Unmigrated {\n  id Int @id\n  @@map("unmigrated")\n}\n';
    await writeFile(path.join(folder, 'schema.prisma'), more, { flag: 'a' });
    expect(await driftOf(app, folder)).toContain('CREATE TABLE "unmigrated"');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
