import { execFileSync, spawnSync } from 'node:child_process';
import { describe, expect, test } from '@jest/globals';
import { createProgram } from '../../tree/program.js';
import { completionTree } from './command-words.js';
import { SCRIPTS, type Shell } from './scripts.js';

const nodes = completionTree(createProgram(() => undefined));

function complete(line: string): string[] {
  const words = line.split(' ');
  const script = [
    SCRIPTS.bash(nodes),
    `COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')})`,
    `COMP_CWORD=${words.length - 1}`,
    '_agentclash',
    'printf "%s\\n" "${COMPREPLY[@]}"',
  ].join('\n');
  return execFileSync('bash', ['-c', script], { encoding: 'utf8' }).trimEnd().split('\n');
}

describe('completion', () => {
  test('bash offers commands, subcommands, choices and options where they belong', () => {
    expect(complete('agentclash chal')).toEqual(['challenge-pack']);
    expect(complete('agentclash run sho')).toEqual(['show']);
    expect(complete('agentclash completion f')).toEqual(['fish']);
    expect(complete('agentclash eval start --inp')).toEqual(['--input-set']);
    expect(complete('agentclash run show some-id --fol')).toEqual(['--follow']);
    expect(complete('agentclash --js')).toEqual(['--json']);
  });

  test.each<Shell>(['bash', 'zsh', 'fish'])(
    'the script for %s is valid where that shell is at hand',
    (shell) => {
      const { error, status, stderr } = spawnSync(shell, ['-n'], {
        input: SCRIPTS[shell](nodes),
        encoding: 'utf8',
      });
      // Not every machine has every shell.
      expect(error === undefined ? { status, stderr } : { status: 0, stderr: '' }).toEqual({
        status: 0,
        stderr: '',
      });
    },
  );
});
