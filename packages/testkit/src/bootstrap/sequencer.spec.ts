import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from '@jest/globals';

const repository = path.resolve(import.meta.dirname, '../../../..');
const BOOTSTRAP = path.join(repository, 'infra/bootstrap');
const recorded: Record<string, number> = JSON.parse(
  readFileSync(path.join(BOOTSTRAP, 'test-durations.json'), 'utf8'),
);

test('test files start with the slowest, by the recorded durations, and unknown ones come last', async () => {
  const { default: Sequencer } = await import(pathToFileURL(path.join(BOOTSTRAP, 'jest-sequencer.mjs')).href);
  const [one, two, three] = Object.keys(recorded);
  const files = ['packages/new/src/unknown.spec.ts', one, three, two].map((file) => ({
    path: path.join(repository, String(file)),
    context: { config: { cache: false }, hasteFS: { getSize: () => 1 } },
  }));
  const sorted: { path: string }[] = new Sequencer({}).sort(files);
  const seconds = sorted.map((file) => recorded[path.relative(repository, file.path)] ?? 0);
  expect(seconds).toHaveLength(4);
  expect(seconds).toEqual([...seconds].sort((left, right) => right - left));
  expect(seconds.at(-1)).toBe(0);
});

// A file that was moved or removed since costs nothing but its place in the order: `npm test -- --record` drops it.
test('nine of ten files with a recorded duration exist', () => {
  const files = Object.keys(recorded);
  const existing = files.filter((file) => existsSync(path.join(repository, file)));
  expect(existing.length / files.length).toBeGreaterThan(0.9);
});
