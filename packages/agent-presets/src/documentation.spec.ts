import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { parsePreset } from './preset.js';
import { PLACEHOLDERS, presetSchema } from './schema.js';

const text = readFileSync(new URL('../../../docs/agent-presets.md', import.meta.url), 'utf8');

/** The names in the first column of the tables. */
const documented = text
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .flatMap((line) => [...(line.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, name]) => name));

describe('The page on presets', () => {
  test('The page on presets has every member, and every member that it has exists', () => {
    const sources = ['stdout', 'file', 'last_json_line', 'joined_json_lines'];
    const placeholders = [...PLACEHOLDERS, 'wire.KEY'].map((name) => `{{${name}}}`);
    expect([...documented].sort()).toEqual(
      [...Object.keys(presetSchema.shape), ...sources, ...placeholders].sort(),
    );
  });

  test('The example of the page on presets is a valid preset', () => {
    const [, example = ''] = /```yaml\n([\s\S]*?)```/.exec(text) ?? [];
    expect(parsePreset(example, 'example.yaml')).toMatchObject({ name: 'my-agent' });
  });
});
