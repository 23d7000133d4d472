import { expect, test } from '@jest/globals';
import { dryRunChoices } from './dry-run-choices.js';

const DEPLOYMENTS = [
  { id: 'd1', name: 'coder', kind: 'program' as const },
  { id: 'd2', name: 'answerer', kind: 'model' as const },
  { id: 'd3', name: 'script', kind: 'scripted' as const },
];

test('deployments that cannot run the mode of a draft come last, with the reason', () => {
  const { choices } = dryRunChoices({ version: { execution_mode: 'prompt_eval' } }, DEPLOYMENTS);
  expect(choices).toEqual([
    { id: 'd2', name: 'answerer', problem: undefined },
    { id: 'd3', name: 'script', problem: undefined },
    { id: 'd1', name: 'coder', problem: expect.stringMatching(/^cannot run a pack of mode prompt_eval/) },
  ]);
});

test('a dry run begins with the lineup of the pack, with the only possible deployment, or with none', () => {
  const version = { execution_mode: 'prompt_eval' };
  const lineup = { deployment_defaults: { lineups: { default: ['coder', 'script'] } } };
  expect(dryRunChoices({ version: { ...version, ...lineup } }, DEPLOYMENTS).first).toBe('d3');
  expect(dryRunChoices({ version }, DEPLOYMENTS).first).toBe('');
  expect(dryRunChoices({ version }, DEPLOYMENTS.slice(0, 2)).first).toBe('d2');
  expect(dryRunChoices(undefined, []).first).toBe('');
});
