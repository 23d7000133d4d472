import { yamlLanguage } from '@codemirror/lang-yaml';
import { describe, expect, test } from '@jest/globals';
import { boundedYaml } from './yaml-syntax.js';

const DEEP = `pack: ${'['.repeat(20_000)}`;

/** The result of some work with a fifth of the stack left. */
function withLittleStack<T>(work: () => T): T {
  let frames = 0;
  const descend = (left: number): T => {
    frames += 1;
    return left <= 0 ? work() : descend(left - 1);
  };
  expect(() => descend(Number.POSITIVE_INFINITY)).toThrow(RangeError);
  return descend(Math.floor(frames * 0.8));
}

describe('the syntax of an editor', () => {
  test('a text that nests too deeply for the stack stays without colours', () => {
    expect(() => withLittleStack(() => yamlLanguage.parser.parse(DEEP))).toThrow(RangeError);
    const tree = withLittleStack(() => boundedYaml.parser.parse(DEEP));
    expect(tree.topNode.firstChild).toBeNull();
  });

  test('every other text is parsed as ever', () => {
    const text = 'pack:\n  slug: sums\n  tags: [a, {b: c}]\n';
    expect(String(boundedYaml.parser.parse(text))).toBe(String(yamlLanguage.parser.parse(text)));
  });
});
