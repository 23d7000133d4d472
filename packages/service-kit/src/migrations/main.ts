import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { SERVICE_EXIT_CODES } from '@agentclash/domain';
import { z } from 'zod';
import { ConfigError, readConfig } from '../config.js';
import { withDatabase } from './await-database.js';
import { type MigrateOptions, migrate, pendingMigrations } from './migrate.js';

// `node main.js apply|await <schema> <prisma folder>`: `apply` is a job before a roll-out, `await` the wait of new instances.
const LOOK_EVERY_MS = 2_000;

const Environment = z.object({
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/, error: 'must be a postgresql:// url' }),
});

const VERBS: Readonly<Record<string, (options: MigrateOptions) => Promise<string>>> = {
  apply: async (options) => {
    const applied = await migrate(options);
    return applied.length === 0 ? 'nothing was pending' : `applied ${applied.join(', ')}`;
  },
  await: async (options) => {
    let waitedFor = '';
    for (;;) {
      const pending = (await pendingMigrations(options)).join(', ');
      if (pending === '') return 'nothing is pending';
      if (pending !== waitedFor) print(`waiting for ${pending}`);
      waitedFor = pending;
      await delay(LOOK_EVERY_MS);
    }
  },
};

const [verb = '', schema = '', folder = ''] = process.argv.slice(2);
const run = VERBS[verb];
if (run === undefined || schema === '' || folder === '') {
  end(
    'usage: main.js apply|await <schema> <folder of schema.prisma and migrations>',
    SERVICE_EXIT_CODES.usage,
  );
} else {
  try {
    const { DATABASE_URL: databaseUrl } = readConfig(Environment, process.env);
    const options = { databaseUrl, schema, folder: path.resolve(folder), log: print };
    print(await withDatabase(options, () => run(options)));
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    end(
      `${schema}: ${message}`,
      error instanceof ConfigError ? SERVICE_EXIT_CODES.misconfigured : SERVICE_EXIT_CODES.unavailable,
    );
  }
}

function print(line: string): void {
  process.stdout.write(`${schema}: ${line}\n`);
}

function end(line: string, code: number): void {
  process.stderr.write(`${line}\n`);
  process.exitCode = code;
}
