import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Manifest } from '../manifests/manifest.js';
import { repository } from '../repository.js';

/** The packages of the types and validators of an API group; other groups are built-in. */
const PACKAGES: Readonly<Record<string, string>> = {
  'cert-manager.io': '@kubernetes-models/cert-manager',
  'external-secrets.io': '@kubernetes-models/external-secrets',
  'keda.sh': '@kubernetes-models/keda',
  'monitoring.coreos.com': '@kubernetes-models/prometheus-operator',
};

const PACKAGE_FOLDER = path.resolve(import.meta.dirname, '../..');
const TSC = path.join(repository, 'node_modules/typescript/bin/tsc');
const run = promisify(execFile);

interface Model {
  validate(): void;
}

/** Values that the API's schema rejects, by object. Unknown fields pass; see `findUnknownFields`. */
export async function findInvalidValues(manifests: readonly Manifest[]): Promise<string[]> {
  const violations: string[] = [];
  for (const manifest of manifests) {
    const loaded = (await import(moduleOf(manifest))) as Record<string, new (data: Manifest) => Model>;
    const Type = loaded[manifest.kind];
    try {
      if (Type === undefined) throw new Error('no such kind');
      new Type(manifest).validate();
    } catch (error) {
      violations.push(`${nameOf(manifest)}: ${(error as Error).message}`);
    }
  }
  return violations;
}

/**
 * Unknown and missing fields, as the TypeScript compiler finds them in object literals: a literal may have no member that
 * its type does not have.
 */
export async function findUnknownFields(manifests: readonly Manifest[]): Promise<string[]> {
  const folder = mkdtempSync(path.join(PACKAGE_FOLDER, '.checked-'));
  try {
    const lines = manifests.map(
      (manifest, index) =>
        `export const object${index}: import('${moduleOf(manifest)}').I${manifest.kind} = ${JSON.stringify(manifest)};`,
    );
    const file = path.join(folder, 'objects.ts');
    writeFileSync(file, lines.join('\n'));
    const flags = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', '--types', ''];
    const { stdout } = await run(process.execPath, [TSC, '--ignoreConfig', ...flags, file]).catch(
      (error: { stdout: string }) => error,
    );
    return [...stdout.matchAll(/\((\d+),\d+\): error TS\d+: (.*)/g)].map(([, line, message]) => {
      const manifest = manifests[Number(line) - 1];
      return `${manifest ? nameOf(manifest) : ''}: ${message}`;
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function moduleOf({ apiVersion, kind }: Manifest): string {
  const group = apiVersion.split('/')[0] ?? '';
  return `${PACKAGES[group] ?? 'kubernetes-models'}/${apiVersion}/${kind}`;
}

function nameOf({ kind, metadata }: Manifest): string {
  return `${kind} ${metadata.name}`;
}
