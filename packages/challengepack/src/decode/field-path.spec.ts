import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { stepsOf } from '../testing/vectors/patch.js';
import { FieldPath } from './field-path.js';

test('a path names fields by dots, entries by index, map keys in quotes', () => {
  const path = FieldPath.root.field('tools').field('custom').index(0).field('args').key('a "b"').index(2);
  expect(`${path}`).toBe('tools.custom[0].args["a \\"b\\""][2]');
  expect(path.steps()).toEqual(['tools', 'custom', 0, 'args', 'a "b"', 2]);
  expect(`${FieldPath.root}`).toBe('');
});

test('a field that is no identifier is written like a map key, at the root without a dot', () => {
  expect(`${FieldPath.root.field('release notes')}`).toBe('["release notes"]');
  expect(`${FieldPath.root.field('x-y')}`).toBe('x-y');
});

test('a path can be read back, and computes its length without being written', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.nat(), fc.string())), (steps) => {
      const path = FieldPath.root.field('root').below(steps);
      expect(stepsOf(path.toString())).toEqual(['root', ...steps]);
      expect(path.length).toBe(path.toString().length);
    }),
  );
});
