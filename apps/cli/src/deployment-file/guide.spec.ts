import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import type { KindName } from '../resources/kind-names.js';
import { readDeploymentFile } from './read.js';

const guide = readFileSync(path.resolve(import.meta.dirname, '../../../../docs/agents.md'), 'utf8');
const blocks = [...guide.matchAll(/```yaml\n([\s\S]*?)```/g)].map(({ index, 1: text = '' }) => ({
  line: guide.slice(0, index).split('\n').length,
  text,
}));

describe('the guide for agent teams', () => {
  test.each(blocks)('shows at line $line a deployment file without problems', ({ text }) => {
    const { problems, entries } = readDeploymentFile(text);
    expect(problems).toEqual([]);
    expect(entries.length).toBeGreaterThan(0);
  });

  test('shows every resource that an agent is made of, and every kind of deployment', () => {
    const entries = blocks.flatMap(({ text }) => readDeploymentFile(text).entries);
    const kinds: KindName[] = ['deployment', 'runtime_profile', 'provider_account', 'model_alias', 'tool'];
    expect(entries.map(({ kind }) => kind)).toEqual(expect.arrayContaining(kinds));
    const shown = entries.map(({ body }) => (typeof body === 'object' ? { ...body } : {}));
    for (const kind of ['model', 'program', 'endpoint', 'scripted']) {
      expect(shown).toContainEqual(expect.objectContaining({ kind }));
    }
  });
});
