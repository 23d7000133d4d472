import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { contentProblems } from '../commands/resource/content-problems.js';
import { readLocalFiles } from '../commands/resource/local-files.js';
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

  test.each(files)('The example $name has no problems, nor has what it brings along', async ({ file }) => {
    expect(file.problems).toEqual([]);
    expect(file.entries.length).toBeGreaterThan(0);
    const { contents, problems } = await readLocalFiles(file, folder);
    expect(problems).toEqual([]);
    expect(contentProblems(file, contents)).toEqual([]);
  });

  test('The example of variants brings along a skill and instructions', async () => {
    const file = files.find(({ name }) => name === 'variants.yaml')?.file;
    if (file === undefined) throw new Error('there is no example of variants');
    const { contents } = await readLocalFiles(file, folder);
    expect(contents.skillFiles('skills/run-the-tests').map(({ path: inside }) => inside)).toEqual([
      'SKILL.md',
    ]);
    expect(contents.valueOf('text', 'skills/AGENTS.md')).toContain('Run the tests');
    expect(file.entries.at(-1)?.body).toMatchObject({ baseline: 'bare' });
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
