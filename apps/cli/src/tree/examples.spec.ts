import { describe, expect, test } from '@jest/globals';
import type { Command } from 'commander';
import { EXAMPLES } from './examples.js';
import { createProgram } from './program.js';

const leaves = (command: Command, path: readonly string[] = []): [string, Command][] =>
  command.commands.length === 0
    ? [[path.join(' '), command]]
    : command.commands.flatMap((child) => leaves(child, [...path, child.name()]));
const all = new Map(leaves(createProgram(() => undefined)).filter(([path]) => path !== 'complete'));

describe('the help of commands', () => {
  test('the help has an example for every command, and for nothing else', () => {
    expect(Object.keys(EXAMPLES).sort()).toEqual([...all.keys()].sort());
  });

  const examples = Object.entries(EXAMPLES).flatMap(([path, lines]) => lines.map((line) => [path, line]));
  test.each(examples)('the command %s is used as in its example: %s', (path = '', line = '') => {
    expect(line.startsWith(path)).toBe(true);
    const command = all.get(path);
    const words = line.slice(path.length).split(' ').filter(Boolean);
    const { unknown } = command?.parseOptions(words) ?? { unknown: [] };
    expect(unknown.filter((word) => word !== '--json')).toEqual([]);
  });

  test('the help describes every option, in a phrase that begins with a word of its own', () => {
    const fragments = [...all].flatMap(([path, { options }]) =>
      options
        .filter(
          ({ description }) => description === '' || /^(of|its|default|repeatable|where)\b/.test(description),
        )
        .map(({ flags }) => `${path} ${flags}`),
    );
    expect(fragments).toEqual([]);
  });
});
