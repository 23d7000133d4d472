import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { type KindName } from '../resources/kind-names.js';
import { StoredResources, unknownNames } from './plan.js';
import { readDeploymentFile } from './read.js';
import { toolProblems } from './tools.js';

const folder = path.resolve(import.meta.dirname, '../../../../examples/deployments');
const names = readdirSync(folder).filter((name) => name.endsWith('.yaml'));
const files = names.map((name) => ({
  name,
  file: readDeploymentFile(readFileSync(path.join(folder, name), 'utf8')),
}));

describe('the example deployments', () => {
  test('the example deployments exist', () => {
    expect(names).toEqual(
      expect.arrayContaining(['local-model.yaml', 'endpoint.yaml', 'workspace-tools.yaml']),
    );
  });

  test.each(files)('$name has no problems, and its files exist', ({ file }) => {
    expect(file.problems).toEqual([]);
    expect(file.entries.length).toBeGreaterThan(0);
    for (const { to, name } of file.entries.flatMap(({ references }) => references)) {
      if (to === 'file') expect(existsSync(path.join(folder, name))).toBe(true);
    }
  });

  test('the examples refer only to resources that an example creates', () => {
    const existing = new StoredResources();
    for (const { kind, name } of files.flatMap(({ file }) => file.entries)) {
      existing.add(kind, { id: name, name, created_at: '', updated_at: '' });
    }
    expect(files.flatMap(({ file }) => unknownNames(file, existing))).toEqual([]);
  });

  test('the tools of the examples are accepted by a workspace', () => {
    expect(files.flatMap(({ file }) => toolProblems(file, []))).toEqual([]);
  });

  test('an example changes to a provider with a key by one line', () => {
    const text = readFileSync(path.join(folder, 'local-model.yaml'), 'utf8');
    const changed = text.replace(/^ {2}- \{name: main.*\n/m, '').replace(/^ {2}# (- \{name: main)/m, '  $1');
    const { entries, problems } = readDeploymentFile(changed);
    expect(problems).toEqual([]);
    const alias = entries.find(({ kind }) => kind === 'model_alias');
    expect(alias?.references).toMatchObject([{ to: 'provider_account', name: 'openai' }]);
  });
});

const guide = readFileSync(path.resolve(import.meta.dirname, '../../../../docs/agents.md'), 'utf8');
const blocks = [...guide.matchAll(/```yaml\n([\s\S]*?)```/g)].map(({ index, 1: text = '' }) => ({
  line: guide.slice(0, index).split('\n').length,
  text,
}));

describe('the guide for agent teams', () => {
  test.each(blocks)('the guide shows at line $line a deployment file without problems', ({ text }) => {
    const { problems, entries } = readDeploymentFile(text);
    expect(problems).toEqual([]);
    expect(entries.length).toBeGreaterThan(0);
  });

  test('the guide shows every resource of an agent, and every kind of deployment', () => {
    const entries = blocks.flatMap(({ text }) => readDeploymentFile(text).entries);
    const kinds: KindName[] = ['deployment', 'runtime_profile', 'provider_account', 'model_alias', 'tool'];
    expect(entries.map(({ kind }) => kind)).toEqual(expect.arrayContaining(kinds));
    const shown = entries.map(({ body }) => (typeof body === 'object' ? { ...body } : {}));
    for (const kind of ['model', 'program', 'endpoint', 'scripted']) {
      expect(shown).toContainEqual(expect.objectContaining({ kind }));
    }
  });
});
