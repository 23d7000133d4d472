import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { MigrateOptions } from './migrate.js';
import { withSchemaEngine } from './schema-engine.js';

/** The SQL that would bring a migrated database to `schema.prisma`; undefined without a difference. */
export async function schemaDrift(options: MigrateOptions): Promise<string | undefined> {
  const datamodel = path.join(options.folder, 'schema.prisma');
  const content = await readFile(datamodel, 'utf8');
  const { stdout, exitCode } = await withSchemaEngine(options, (engine) =>
    engine.diff({
      from: {
        tag: 'schemaDatasource',
        files: [{ path: datamodel, content }],
        configDir: options.folder,
      },
      to: { tag: 'schemaDatamodel', files: [{ path: datamodel, content }] },
      script: true,
      exitCode: true,
      filters: { externalTables: [], externalEnums: [] },
    }),
  );
  return exitCode === 0 ? undefined : (stdout ?? '');
}
