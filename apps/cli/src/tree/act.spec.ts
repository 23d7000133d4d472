import { expect, test } from '@jest/globals';
import { Command } from 'commander';
import { actWith } from './act.js';

test('the format of tables is no part of the input of a command, which may be handed on as a query', async () => {
  const inputs: unknown[] = [];
  const command = new Command('list')
    .option('--table-format <format>', '', 'table')
    .option('--status <status>')
    .action(actWith(() => undefined)(async () => async (_, input) => void inputs.push(input)));
  await command.parseAsync(['--status', 'failed'], { from: 'user' });
  expect(inputs).toEqual([{ status: 'failed' }]);
});
