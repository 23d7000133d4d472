import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { starterPack } from '@agentclash/challengepack/starters';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Command } from 'commander';
import { useFakeApi } from './testing/fake-api.js';
import { offerEverything } from './testing/fixtures/everything.js';
import { GOLDEN } from './testing/golden/cases.js';
import { CommandHost, transcriptOf } from './testing/golden/transcript.js';
import { createProgram } from './tree/program.js';

const FOLDER = path.resolve(import.meta.dirname, '../golden');

const { api, env } = useFakeApi();
let host: CommandHost;
beforeAll(() => {
  offerEverything(api);
  host = new CommandHost({ ...env, CI: 'true' });
});
afterAll(() => host.stop());

describe('what commands print', () => {
  test.each(Object.keys(GOLDEN))('the output of %s is unchanged', async (group) => {
    const pack = starterPack('prompt_eval', 'sums');
    const texts: string[] = [];
    for (const each of GOLDEN[group] ?? [])
      texts.push(await transcriptOf(each, { host, url: api.url, pack }));
    const text = texts.join('\n');
    expect(text).not.toMatch(/hunter2(?!$)|ac_test|the fake has no/m);
    const file = path.join(FOLDER, `${group}.txt`);
    if (process.env.GOLDEN_UPDATE !== undefined) {
      mkdirSync(FOLDER, { recursive: true });
      writeFileSync(file, text);
    }
    expect(text).toBe(readFileSync(file, 'utf8'));
  });

  test('the output of every command is stored, as text and as JSON', () => {
    const kept = Object.values(GOLDEN).flatMap((cases) => cases.map(({ line }) => line));
    const missing = leaves(createProgram(() => undefined)).filter(
      (words) => !['', ' --json'].every((mode) => kept.some((line) => isOf(line, words, mode))),
    );
    expect(missing).toEqual(ELSEWHERE);
    expect(readdirSync(FOLDER).sort()).toEqual(
      Object.keys(GOLDEN)
        .map((group) => `${group}.txt`)
        .sort(),
    );
  });
});

/** Their output depends on the machine, or is the same for people and programs. */
const ELSEWHERE = [
  'demo',
  'up',
  'uninstall',
  'doctor',
  'challenge-pack schema',
  'deployment schema',
  'agents list',
  'agents install',
  'agents remove',
  'agents test',
  'image load',
  'image pull',
  'image list',
  'image remove',
  'run local',
  'view',
  'push',
  'admin front-door open',
  'admin front-door close',
  'admin front-door list',
  'mcp',
];

function isOf(line: string, words: string, mode: string): boolean {
  return line.startsWith(words) && line.endsWith(mode) && (mode !== '' || !line.endsWith(' --json'));
}

/** The commands that do something, by their words. */
function leaves(program: Command, path: readonly string[] = []): string[] {
  const children = program
    .createHelp()
    .visibleCommands(program)
    .filter((child) => child.name() !== 'help');
  if (children.length === 0) return [path.join(' ')];
  return children.flatMap((child) => leaves(child, [...path, child.name()]));
}
