import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { importPack } from './import-pack.js';
import { IMPORT_KINDS, type ImportKind } from './importers.js';
import { memorySource } from './testing/memory-source.js';

const read = (page: string) => readFileSync(new URL(`../../../docs/${page}`, import.meta.url), 'utf8');

type Block = [title: string, text: string];

function blocks(page: string, kind: 'file' | 'import'): Block[] {
  const pattern = new RegExp(`<!-- ${kind}: (.+) -->\n\`\`\`\\w+\n([\\s\\S]*?)^\`\`\`$`, 'gm');
  return [...read(page).matchAll(pattern)].map(([, title = '', text = '']) => [title, text]);
}

/** A file of the page, or the folder with the files below it. */
function sourceOf(page: string, path: string) {
  const files = blocks(page, 'file');
  if (files.some(([name]) => name === path)) return memorySource(Object.fromEntries(files), path);
  const below = files.filter(([name]) => name.startsWith(`${path}/`));
  return memorySource(Object.fromEntries(below.map(([name, text]) => [name.slice(path.length + 1), text])));
}

describe.each(['import.md', 'coming-from.md'])('the examples of %s', (page) => {
  test.each(blocks(page, 'import'))(
    'the import of %s prints the report of the guide',
    async (words, expected) => {
      const [kind = '', path = ''] = words.split(' ');
      const { report } = await importPack(kind as ImportKind, sourceOf(page, path));
      const lines = report.items.map(
        ({ fate, where, key, reason }) => `${fate} ${where} ${key}: ${reason}\n`,
      );
      expect(lines.join('')).toBe(expected);
    },
  );
});

test('each tool that people come from has an example', () => {
  const kinds = blocks('coming-from.md', 'import').map(([words]) => words.split(' ')[0]);
  expect(kinds).toEqual(['promptfoo', 'inspect', 'harbor']);
});

test('the guide to imports has every kind in its table', () => {
  const rows = read('import.md')
    .split('\n')
    .filter((line) => line.startsWith('| `'));
  const cells = rows.slice(0, IMPORT_KINDS.length).map((line) => line.split('|')[1] ?? '');
  const kinds = cells.flatMap((cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, kind = '']) => kind));
  expect(IMPORT_KINDS.filter((kind) => !kinds.includes(kind))).toEqual([]);
});
