import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { repository } from '../repository.js';

const folder = mkdtempSync(path.join(tmpdir(), 'sbom-'));
afterAll(() => rmSync(folder, { recursive: true }));

interface Sbom {
  bomFormat: string;
  specVersion: string;
  metadata: { component: { name: string; version: string } };
  components: {
    group?: string;
    name: string;
    version: string;
    purl: string;
    'bom-ref': string;
    licenses?: object[];
    externalReferences?: { hashes?: { alg: string; content: string }[] }[];
  }[];
  dependencies: { ref: string; dependsOn?: string[] }[];
}

const run = (script: string, ...args: string[]) =>
  execFileSync(process.execPath, [path.join(repository, 'infra/licences', script), ...args], {
    encoding: 'utf8',
  });

test('The bill of materials is CycloneDX with every installed package, its licence and its digest.', () => {
  const file = path.join(folder, 'agentclash.cdx.json');
  expect(run('sbom.mjs', file)).toMatch(/: \d{3,} components\n$/);
  const sbom: Sbom = JSON.parse(readFileSync(file, 'utf8'));
  const { version } = JSON.parse(readFileSync(path.join(repository, 'package.json'), 'utf8'));
  expect(sbom).toMatchObject({
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    metadata: { component: { name: 'agentclash', version } },
  });
  const names = sbom.components.map(({ group, name }) => (group === undefined ? name : `${group}/${name}`));
  expect(names).toEqual(expect.arrayContaining(['@agentclash/domain', '@nestjs/core', 'pg', 'zod', 'react']));
  const others = sbom.components.filter(({ group }) => group !== '@agentclash');
  const withoutDigest = others.filter(
    ({ externalReferences = [] }) =>
      !externalReferences.some(({ hashes = [] }) =>
        hashes.some(({ content }) => /^[0-9a-f]{40,}$/.test(content)),
      ),
  );
  expect(withoutDigest.map(({ purl }) => purl)).toEqual([]);
  const known = new Set([...sbom.components.map((component) => component['bom-ref']), 'root']);
  const edges = sbom.dependencies.flatMap(({ dependsOn = [] }) => dependsOn);
  expect(edges.length).toBeGreaterThan(500);
  expect(edges.filter((ref) => !known.has(ref))).toEqual([]);
});

test('Every package of the lockfile has an allowed licence or an exception with a reason.', () => {
  expect(run('check.mjs')).toMatch(/^\d{3,} packages, 0 violations/);
});
