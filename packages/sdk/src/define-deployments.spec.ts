import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { type DeploymentFile, defineDeployments } from './index.js';

const examples = path.resolve(import.meta.dirname, '../../../examples/deployments');
const files = readdirSync(examples).filter((name) => name.endsWith('.yaml'));

test.each(files)('the YAML of %s has the same content as the example', (name) => {
  const written: unknown = parse(readFileSync(path.join(examples, name), 'utf8'));
  expect(parse(defineDeployments(written as DeploymentFile).toYaml())).toEqual(written);
});

test('a value that JSON cannot hold is refused with its place', () => {
  const file = defineDeployments({
    deployments: [{ name: 'a', kind: 'scripted', config: { steps: [] } }],
    runtime_profiles: [{ name: 'p', profile_config: { limits: { max_iterations: Number.NaN } } } as never],
  });
  expect(() => file.toYaml()).toThrow(
    'runtime_profiles[0].profile_config.limits.max_iterations must be a value that JSON can hold, not NaN.',
  );
});
