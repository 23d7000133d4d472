import { DeploymentSpec } from '@agentclash/api';
import { expect, test } from '@jest/globals';
import { readSpec } from './read-spec.js';

test.each([
  ['sampling: {temperature: 7}', 'config.sampling.temperature', 'must be at most 2'],
  ['sampling: {temperature: -1}', 'config.sampling.temperature', 'must be at least 0'],
  ['sampling: {temperature: warm}', 'config.sampling.temperature', 'must be a number'],
  ['sampling: {max_output_tokens: 1.5}', 'config.sampling.max_output_tokens', 'must be a whole number'],
  ['sampling: {reasoning_effort: ""}', 'config.sampling.reasoning_effort', 'is required'],
  [
    `sampling: {reasoning_effort: ${'x'.repeat(33)}}`,
    'config.sampling.reasoning_effort',
    'must have at most 32 characters',
  ],
  ['tools: none', 'config.tools', 'must be a list'],
])('a problem of a field is in plain words: %s', async (member, field, message) => {
  const reading = await readSpec(
    DeploymentSpec,
    `{name: mine, kind: model, config: {model_alias: fast, ${member}}}`,
  );
  expect(reading).toEqual({ problems: [{ field, message }] });
});

test('a field that is absent is required', async () => {
  const reading = await readSpec(DeploymentSpec, '{kind: endpoint, config: {}}');
  expect(reading).toEqual({
    problems: [
      { field: 'name', message: 'is required' },
      { field: 'config.url', message: 'is required' },
    ],
  });
});
