import { expect, test } from '@jest/globals';
import { CommanderError } from 'commander';
import { createProgram } from './program.js';
import { withCommandsOfGroups } from './unknown-command.js';

async function messageOf(...words: string[]): Promise<string[]> {
  const program = createProgram(() => undefined);
  const error = await program.parseAsync(words, { from: 'user' }).catch((thrown: unknown) => thrown);
  const reported = withCommandsOfGroups(error, program);
  expect(reported).toBeInstanceOf(CommanderError);
  return (reported as CommanderError).message.split('\n');
}

test('a first word that is a command of one group is refused with that command', async () => {
  expect(await messageOf('export', 'last')).toEqual([
    "error: unknown command 'export'",
    '(Did you mean agentclash run export?)',
  ]);
  expect(await messageOf('--json', 'export')).toContain('(Did you mean agentclash run export?)');
});

test('a first word that is a command of several groups, by name or alias, is refused with all of them', async () => {
  const [, question, ...commands] = await messageOf('get');
  expect(question).toBe('(Did you mean agentclash run show?)');
  expect(commands).toEqual([]);
  const [, several, ...found] = await messageOf('list');
  expect(several).toBe('(Did you mean one of these?)');
  expect(found).toEqual(expect.arrayContaining(['agentclash run list', 'agentclash deployment list']));
});

test('other unknown words keep the suggestion of a similar command', async () => {
  expect(await messageOf('imprt')).toEqual(["error: unknown command 'imprt'", '(Did you mean import?)']);
  expect(await messageOf('baseline', 'export')).toEqual(["error: unknown command 'export'"]);
});
