import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import type { Command } from 'commander';
import { EXAMPLES } from './examples.js';
import { createProgram } from './program.js';

const REPOSITORY = path.resolve(import.meta.dirname, '../../../..');
const leaves = (command: Command, words: readonly string[] = []): [string, Command][] =>
  command.commands.length === 0
    ? [[words.join(' '), command]]
    : command.commands.flatMap((child) => leaves(child, [...words, child.name()]));
const all = new Map(leaves(createProgram(() => undefined)).filter(([path]) => path !== 'complete'));

/** Options that every command takes. */
const GLOBAL: ReadonlySet<string> = new Set(
  createProgram(() => undefined).options.flatMap(({ long, short }) => [long ?? '', short ?? '']),
);

describe('the help of commands', () => {
  test('the help has an example for every command, and for nothing else', () => {
    expect(Object.keys(EXAMPLES).sort()).toEqual([...all.keys()].sort());
  });

  const groups = (command: Command): Command[] =>
    command.commands.flatMap((child) => (child.commands.length === 0 ? [] : [child, ...groups(child)]));
  test.each(groups(createProgram(() => undefined)).map((group) => [group.name(), group] as const))(
    'the help of the group %s has examples of its commands',
    (name, group) => {
      let text = '';
      group.configureOutput({ writeOut: (part) => (text += part) });
      group.outputHelp();
      expect(text).toMatch(/\nExamples?:\n {2}agentclash \S/);
      expect(text).toContain(`${name} `);
    },
  );

  const examples = Object.entries(EXAMPLES).flatMap(([path, lines]) => lines.map((line) => [path, line]));
  test.each(examples)('the command %s is used as in its example: %s', (path = '', line = '') => {
    expect(line.startsWith(path)).toBe(true);
    const command = all.get(path);
    const words = line.slice(path.length).split(' ').filter(Boolean);
    const { unknown } = command?.parseOptions(words) ?? { unknown: [] };
    expect(unknown.filter((word) => word !== '--json')).toEqual([]);
  });

  const guides = ['README.md', ...readdirSync(path.join(REPOSITORY, 'docs')).map((name) => `docs/${name}`)];
  test.each(guides.filter((name) => name.endsWith('.md')))(
    'the commands in %s have known options',
    (name) => {
      const text = readFileSync(path.join(REPOSITORY, name), 'utf8');
      const blocks = [...text.matchAll(/^```sh\n(.*?)^```/gms)].map(([, block = '']) => block).join('\n');
      const commands = [...blocks.matchAll(/^agentclash ([a-z].*)$/gm)];
      const refused = commands.flatMap(([line, command = '']) => {
        // The short form of `run local`, whose first word is a path.
        const whole = command.replace(/ +#.*$/, '').replace(/^run (?=\S*[./])/, 'run local ');
        const words = whole.split(' ');
        const at = [...all.keys()].find((each) => `${words.join(' ')} `.startsWith(`${each} `));
        const { unknown = [] } = all.get(at ?? '')?.parseOptions(words.slice(at?.split(' ').length)) ?? {};
        return at === undefined || unknown.some((word) => !GLOBAL.has(word) && word.startsWith('-'))
          ? [line]
          : [];
      });
      expect(refused).toEqual([]);
    },
  );

  const examplePaths = ['challenge-packs', 'deployments', 'ci'].flatMap((folder) =>
    readdirSync(path.join(REPOSITORY, 'examples', folder), { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => `examples/${folder}/${name}`),
  );
  test.each([...guides.filter((name) => name.endsWith('.md')), ...examplePaths])(
    'the commands in %s are run start and apply, not their older words',
    (name) => {
      const text = readFileSync(path.join(REPOSITORY, name), 'utf8');
      expect(text.match(/\b(?:eval start|deployment create -f)\b.*/g)).toBeNull();
    },
  );

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
