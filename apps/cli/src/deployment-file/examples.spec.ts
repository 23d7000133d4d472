import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { Existing, unknownNames } from './plan.js';
import { readDeploymentFile } from './read.js';
import { toolProblems } from './tools.js';

const folder = path.resolve(import.meta.dirname, '../../../../examples/deployments');
const names = readdirSync(folder).filter((name) => name.endsWith('.yaml'));
const files = names.map((name) => ({
  name,
  file: readDeploymentFile(readFileSync(path.join(folder, name), 'utf8')),
}));

describe('the example deployments', () => {
  test('are there', () => {
    expect(names).toEqual(
      expect.arrayContaining(['local-model.yaml', 'endpoint.yaml', 'workspace-tools.yaml']),
    );
  });

  test.each(files)('$name has no problems, and the files that it brings along exist', ({ file }) => {
    expect(file.problems).toEqual([]);
    expect(file.entries.length).toBeGreaterThan(0);
    for (const { to, name } of file.entries.flatMap(({ references }) => references)) {
      if (to === 'file') expect(existsSync(path.join(folder, name))).toBe(true);
    }
  });

  test('name nothing that no example makes', () => {
    const existing = new Existing();
    for (const { kind, name } of files.flatMap(({ file }) => file.entries)) {
      existing.add(kind, { id: name, name, created_at: '', updated_at: '' });
    }
    expect(files.flatMap(({ file }) => unknownNames(file, existing))).toEqual([]);
  });

  test('hold tools that a workspace takes', () => {
    expect(files.flatMap(({ file }) => toolProblems(file, []))).toEqual([]);
  });

  test('turn to a provider with a key by one line', () => {
    const text = readFileSync(path.join(folder, 'local-model.yaml'), 'utf8');
    const changed = text.replace(/^ {2}- \{name: main.*\n/m, '').replace(/^ {2}# (- \{name: main)/m, '  $1');
    const { entries, problems } = readDeploymentFile(changed);
    expect(problems).toEqual([]);
    const alias = entries.find(({ kind }) => kind === 'model_alias');
    expect(alias?.references).toMatchObject([{ to: 'provider_account', name: 'openai' }]);
  });
});
