import { describe, expect, test } from '@jest/globals';
import { oneLineWithEnd } from './printable.js';

describe('a long message on one line of the board', () => {
  const steps = Array.from({ length: 10 }, (_, index) => `Step ${index}/10 : RUN true`);
  const failed = [
    'the build failed',
    ...steps,
    'the reason',
    "The command 'make' returned a non-zero code: 3",
  ];

  test('the output of a failed build keeps its beginning and its end, within the width', () => {
    const line = oneLineWithEnd(failed.join('\n'), 100);
    expect(line).toMatch(
      /^the build failed … .*⏎ the reason ⏎ The command 'make' returned a non-zero code: 3$/,
    );
    expect([...line].length).toBeLessThanOrEqual(100);
  });

  test('a first line that fills the width leaves place for the end', () => {
    const line = oneLineWithEnd(`${'x'.repeat(500)}\nthe end`, 60);
    expect(line).toMatch(/^x+… … .*the end$/);
    expect([...line].length).toBeLessThanOrEqual(60);
  });

  test('a long message about an image has the beginning of its digest, and what is wrong with it', () => {
    const image = `registry.example/team/tools@sha256:0123456789ab${'c'.repeat(52)}`;
    const message = `no sandbox could be opened: the image ${image} is for linux/arm64, and this machine is linux/amd64`;
    expect(oneLineWithEnd(message, 160)).toBe(
      'no sandbox could be opened: the image registry.example/team/tools@sha256:0123456789ab… is for linux/arm64, and this machine is linux/amd64',
    );
    expect(oneLineWithEnd(image, 160)).toBe(image);
  });

  test('a message of one line, and one that fits, are as they were', () => {
    expect(oneLineWithEnd('x'.repeat(9), 5)).toBe('xxxx…');
    expect(oneLineWithEnd('a\nb', 5)).toBe('a ⏎ b');
  });
});
