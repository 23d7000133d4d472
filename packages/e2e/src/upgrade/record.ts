// `node packages/e2e/dist/upgrade/record.js DATA FILE RELEASE`: records an embedded stack of the release RELEASE that runs on the data folder DATA and
// whose runs have ended, with everything that its workspace `default` shows. The stack may be of an earlier release.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import {
  findState,
  loadCredentials,
  openLayout,
  SCHEMAS,
  type ServiceWithState,
} from '@agentclash/local-stack';
import pg from 'pg';
import { type RecordedInstallation, type RecordedTables, writeInstallation } from './installation.js';

const DATABASE = 'agentclash';
const WORKSPACE = '/v1/workspaces/default';

const [data = '', file = '', release = ''] = process.argv.slice(2);
if (data === '' || file === '' || release === '')
  throw new Error('record.js needs the data folder of a stack, a file to write, and a release');
const layout = await openLayout(data);
const state = await findState(layout.state);
if (state === undefined) throw new Error(`no stack runs on ${data}`);
const credentials = await loadCredentials(layout, false);
const { url, postgresPort } = state;

async function tablesOf(service: ServiceWithState): Promise<RecordedTables> {
  const schema = SCHEMAS[service];
  const client = new pg.Client({
    ...{ host: '127.0.0.1', port: postgresPort, database: DATABASE },
    ...{ user: `agentclash_${schema}`, password: credentials.passwords[service] },
  });
  await client.connect();
  try {
    const { rows: names } = await client.query<{ name: string }>(
      'SELECT table_name AS name FROM information_schema.tables WHERE table_schema = $1 ORDER BY 1',
      [schema],
    );
    const tables: RecordedTables = {};
    for (const { name } of names) {
      const { rows } = await client.query<{ rows: unknown[] | null }>(
        `SELECT json_agg(row_to_json(t)) AS rows FROM ${schema}.${pg.escapeIdentifier(name)} t`,
      );
      const [found] = rows;
      if (found?.rows) tables[name] = found.rows;
    }
    return tables;
  } finally {
    await client.end();
  }
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const inside = path.join(folder, name);
    return statSync(inside).isDirectory() ? filesBelow(inside) : [inside];
  });
}

const responses: Record<string, unknown> = {};

async function read<T>(at: string): Promise<T> {
  const headers = { authorization: `Bearer ${credentials.adminToken}` };
  const response = await fetch(`${url}${WORKSPACE}${at}`, { headers });
  if (!response.ok) throw new Error(`GET ${at} has status ${response.status}: ${await response.text()}`);
  const body: unknown = await response.json();
  responses[at] = body;
  return body as T;
}

interface Page {
  items: { id: string }[];
}

for (const { id } of (await read<Page>('/challenge-packs')).items) {
  const { versions } = await read<{ versions: { id: string }[] }>(`/challenge-packs/${id}`);
  for (const { id: version } of versions) {
    const at = `/challenge-pack-versions/${version}`;
    await read(`${at}/manifest`);
    for (const { id: set } of (await read<Page>(`${at}/input-sets`)).items)
      await read(`${at}/input-sets/${set}/cases`);
  }
}
for (const { id } of (await read<Page>('/runs')).items) {
  for (const part of ['', '/ranking', '/failures']) await read(`/runs/${id}${part}`);
  for (const { id: lane } of (await read<Page>(`/runs/${id}/agents`)).items) {
    await read(`/run-agents/${lane}/scorecard`);
  }
  for (const { id: attempt } of (await read<Page>(`/runs/${id}/attempts`)).items) {
    for (const part of ['', '/scorecard', '/events']) await read(`/attempts/${attempt}${part}`);
  }
}
for (const list of ['/deployments', '/secrets', '/baselines', '/gate-policies', '/artifacts'])
  await read(list);

const services = Object.keys(SCHEMAS) as ServiceWithState[];
const databases = Object.fromEntries(
  await Promise.all(services.map(async (service) => [service, await tablesOf(service)] as const)),
) as RecordedInstallation['databases'];
const kept = [layout.credentials, layout.vaultKeys, layout.settings, ...filesBelow(layout.blobs)];
const files = Object.fromEntries(
  kept.map((absolute) => [path.relative(layout.folder, absolute), readFileSync(absolute).toString('base64')]),
);
writeInstallation(file, { release, databases, files, responses });
console.log(
  `${file}  ${Math.round(statSync(file).size / 1_000)} kB, ${Object.keys(responses).length} responses`,
);
