import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import pg from 'pg';
import type { Product } from './product.js';

/** Something that a stack keeps, and its content. */
export interface KeptText {
  where: string;
  texts: string[];
}

/** Databases' schemas and who may read them, as the embedded stack names them. */
const SCHEMAS = {
  gateway: 'gateway',
  packs: 'pack-registry',
  runs: 'run-orchestrator',
  scoring: 'scoring',
  vault: 'secrets-vault',
} as const;

/** Every value of every row of every table, as each service reads it. */
export async function databaseOf(product: Product): Promise<KeptText[]> {
  const file = path.join(product.folder.data, 'credentials.json');
  const { passwords } = JSON.parse(readFileSync(file, 'utf8')) as { passwords: Record<string, string> };
  const kept = Object.entries(SCHEMAS).map(async ([schema, service]) => {
    const client = new pg.Client({
      host: '127.0.0.1',
      port: product.state.postgresPort,
      database: 'agentclash',
      user: `agentclash_${schema}`,
      password: passwords[service],
    });
    await client.connect();
    try {
      return await tablesOf(client, schema);
    } finally {
      await client.end();
    }
  });
  return (await Promise.all(kept)).flat();
}

async function tablesOf(client: pg.Client, schema: string): Promise<KeptText[]> {
  const tables = await client.query<{ name: string }>(
    'SELECT table_name AS name FROM information_schema.tables WHERE table_schema = $1',
    [schema],
  );
  const kept: KeptText[] = [];
  for (const { name } of tables.rows) {
    const { rows } = await client.query<Record<string, unknown>>(`SELECT * FROM "${schema}"."${name}"`);
    kept.push({ where: `${schema}.${name}`, texts: rows.flatMap((row) => Object.values(row).map(textOf)) });
  }
  return kept;
}

function textOf(value: unknown): string {
  if (Buffer.isBuffer(value)) return value.toString('latin1');
  // As its author wrote it and as JSON writes it.
  if (typeof value === 'object') return `${JSON.stringify(value)}\n${stringsIn(value).join('\n')}`;
  return String(value);
}

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}

/**
 * Every file below a folder: its bytes and, where it is packed, what it unpacks to. A file that a running server removes
 * before it is read is left out.
 */
export function filesOf(folder: string): KeptText[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .flatMap((file) => {
      const bytes = readIfThere(file);
      if (bytes === undefined) return [];
      const texts = [bytes, ...unpacked(bytes)].map((each) => each.toString('latin1'));
      return [{ where: path.relative(folder, file), texts }];
    });
}

function readIfThere(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function unpacked(bytes: Buffer): Buffer[] {
  return [gunzipSync, inflateSync, brotliDecompressSync].flatMap((unpack) => {
    try {
      return [unpack(bytes)];
    } catch {
      return [];
    }
  });
}

/** The positions of any of these texts. */
export function pathsWith(forms: readonly string[], kept: readonly KeptText[]): string[] {
  return kept
    .filter(({ texts }) => texts.some((text) => forms.some((form) => text.includes(form))))
    .map(({ where }) => where);
}
