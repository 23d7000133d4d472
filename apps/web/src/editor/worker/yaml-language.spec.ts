import { editorSchema } from '@agentclash/challengepack';
import { describe, expect, test } from '@jest/globals';
import { YamlLanguage } from './yaml-language.js';

const language = new YamlLanguage(editorSchema());

/** The text without the mark `▮`, and the offset of the mark. */
function at(marked: string): [text: string, offset: number] {
  const offset = marked.indexOf('▮');
  expect(offset).toBeGreaterThanOrEqual(0);
  return [marked.replace('▮', ''), offset];
}

const VALIDATOR =
  'version:\n  evaluation_spec:\n    validators:\n      - key: right\n        type: numeric_match\n';

describe('completion', () => {
  test('a key is completed from the keys that are allowed and absent, each once, with its description', async () => {
    const found = await language.complete(...at('pack:\n  slug: a\n  ▮\n'));
    expect(found.map(({ label }) => label).sort()).toEqual(['description', 'family', 'name']);
    expect(found.find(({ label }) => label === 'family')).toMatchObject({
      kind: 'key',
      template: 'family: ',
      documentation: 'The family of packs it belongs to.',
    });
  });

  test('a value of a closed set is completed, and the empty text is not a value', async () => {
    const [text, offset] = at('version:\n  execution_mode: na▮\n');
    const found = await language.complete(text, offset);
    expect(found.map(({ label }) => label)).toEqual(['native', 'prompt_eval', 'responses', 'multi_turn']);
    expect(text.slice(found[0]?.from, found[0]?.to)).toBe('na');
  });

  test('a type of a validator has its sentence, and its config has the keys of that type', async () => {
    const types = await language.complete(...at(VALIDATOR.replace('numeric_match', 'nu▮')));
    expect(types.find(({ label }) => label === 'numeric_match')?.documentation).toMatch(/tolerance/);
    const settings = await language.complete(...at(`${VALIDATOR}        config:\n          ▮\n`));
    expect(settings.map(({ label }) => label)).toContain('absolute_tolerance');
    expect(settings.map(({ label }) => label)).not.toContain('match_mode');
  });

  test('fields to fill are written in the syntax of the editor', async () => {
    const [pack] = await language.complete(...at('▮'));
    expect(pack).toMatchObject({
      label: 'pack',
      template: 'pack:\n  slug: ${1}\n  name: ${2}\n  family: ${3}',
    });
  });

  test('a schema that the document names is not fetched: the language stays that of packs', async () => {
    const named = '# yaml-language-server: $schema=https://example.com/other.json\npack:\n  ▮\n';
    expect((await language.complete(...at(named))).map(({ label }) => label)).toContain('slug');
  });
});

test('the given schema is not changed, and a second language of it completes the same', async () => {
  const schema = editorSchema();
  const before = JSON.stringify(schema);
  const first = await new YamlLanguage(schema).complete(...at('pack:\n  ▮\n'));
  expect(JSON.stringify(schema)).toBe(before);
  expect(await new YamlLanguage(schema).complete(...at('pack:\n  ▮\n'))).toEqual(first);
  expect(first).not.toEqual([]);
});

describe('documentation', () => {
  test('a key shows its description without the title of the schema, and its extent', async () => {
    const [text, offset] = at('pack:\n  fam▮ily: x\n');
    const found = await language.hover(text, offset);
    expect(found?.text.trim()).toBe('The family of packs it belongs to.');
    expect(text.slice(found?.from, found?.to)).toBe('family');
  });

  test('what the schema does not describe has no documentation', async () => {
    expect(await language.hover(...at('pack:\n  unknown▮: x\n'))).toBeNull();
  });
});
