import { readPack } from '@agentclash/challengepack';
import { describe, expect, test } from '@jest/globals';
import type { Command } from 'commander';
import { parse } from 'yaml';
import { readDeploymentFile } from '../../deployment-file/read.js';
import { createProgram } from '../../tree/program.js';
import { SKILL, SKILL_NAME } from './skill.js';

const blocks = (language: string) =>
  [...SKILL.matchAll(/^~~~(\w+)\n([\s\S]*?)^~~~$/gm)].flatMap(([, given, text = '']) =>
    given === language ? [text] : [],
  );
const packs = blocks('yaml').filter((text) => text.startsWith('pack:'));

describe('the skill that init writes', () => {
  test('its frontmatter has a name and a description as agents accept them', () => {
    const [, frontmatter = ''] = /^---\n([\s\S]*?)\n---\n/.exec(SKILL) ?? [];
    const { name, description, ...others } = parse(frontmatter);
    expect(name).toBe(SKILL_NAME);
    expect(name).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
    expect(name.length).toBeLessThanOrEqual(64);
    expect(description.length).toBeGreaterThan(100);
    expect(description.length).toBeLessThanOrEqual(1_024);
    expect(description).not.toMatch(/[<>]/);
    expect(others).toEqual({});
  });

  test.each(packs.map((text) => [/slug: ([\w-]+)/.exec(text)?.[1], text]))(
    'its pack %s validates without a warning, and each challenge has a solution',
    (_slug, text = '') => {
      const { problems, pack } = readPack(text);
      expect(problems).toEqual([]);
      expect(pack?.challenges.every(({ solution }) => solution !== undefined)).toBe(true);
    },
  );

  test('its other documents are deployment files without a problem', () => {
    expect(packs).toHaveLength(3);
    const others = blocks('yaml').filter((text) => !packs.includes(text));
    expect(others).toHaveLength(1);
    expect(others.flatMap((text) => readDeploymentFile(text).problems)).toEqual([]);
  });

  test('every command that it names exists, with its options', () => {
    const lines = blocks('sh').flatMap((text) => text.trimEnd().split('\n'));
    expect(lines.length).toBeGreaterThan(5);
    const inline = [...SKILL.matchAll(/\((agentclash [a-z-]+)\)|"(agentclash [a-z-]+)"/g)].map(
      ([, first, second]) => first ?? second ?? '',
    );
    const wrong = [...lines, ...inline].filter((line) => !isKnown(line));
    expect(wrong).toEqual([]);
    expect(isKnown('agentclash challenge-pack inti sums.yaml')).toBe(false);
    expect(isKnown('agentclash challenge-pack init sums.yaml --kind native')).toBe(false);
  });

  test('every block is of a language that these tests check', () => {
    const languages = [...SKILL.matchAll(/^~~~(\w*)$/gm)].map(([, language]) => language);
    expect(new Set(languages.filter(Boolean))).toEqual(new Set(['sh', 'yaml']));
  });
});

/** True for `agentclash …` of a command without others below it, whose options are all known. */
function isKnown(line: string): boolean {
  const [program, ...words] = line.split(' ');
  let command: Command | undefined = createProgram(() => undefined);
  let rest = words;
  while (command !== undefined && command.commands.length > 0) {
    const [name, ...others]: string[] = rest;
    command = command.commands.find((child) => child.name() === name);
    rest = others;
  }
  return program === 'agentclash' && command !== undefined && command.parseOptions(rest).unknown.length === 0;
}
