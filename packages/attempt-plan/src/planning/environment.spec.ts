import { expect, test } from '@jest/globals';
import { ownSandbox, plannedSandbox } from './environment.js';

test('an image takes the place of template and packages', () => {
  const pack = { sandbox_template_id: 'base', additional_packages: ['jq'] };
  expect(plannedSandbox(pack)).toMatchObject({ sandbox_template_id: 'base', additional_packages: ['jq'] });
  const image = { reference: `debian@sha256:${'0'.repeat(64)}`, run_as_root: false };
  const planned = plannedSandbox(pack, { image });
  expect(planned).toMatchObject({ image, additional_packages: [] });
  expect(planned).not.toHaveProperty('sandbox_template_id');
});

test('sizes and variables of the case are added to those of its challenge', () => {
  expect(
    ownSandbox({ cpu: 1, memory_mb: 64, env_vars: { A: '1', B: '1' } }, { cpu: 2, env_vars: { B: '2' } }),
  ).toEqual({
    cpu: 2,
    memory_mb: 64,
    env_vars: { A: '1', B: '2' },
  });
});
