import { expect, test } from '@jest/globals';
import { ownSandbox, plannedSandbox } from './environment.js';

const IMAGE = `debian@sha256:${'0'.repeat(64)}`;
const OTHER = `alpine@sha256:${'1'.repeat(64)}`;

test('the image of the case wins over that of its challenge, and that over the one of the pack, each with its own user', () => {
  const pack = { image: IMAGE, run_as_root: true };
  const planned = (...own: Parameters<typeof ownSandbox>) =>
    plannedSandbox(pack, { own: ownSandbox(...own) }).image;
  expect(planned()).toEqual({ reference: IMAGE, run_as_root: true });
  expect(planned({ image: OTHER })).toEqual({ reference: OTHER, run_as_root: false });
  expect(planned({ image: OTHER, run_as_root: true }, { cpu: 2 })).toEqual({
    reference: OTHER,
    run_as_root: true,
  });
  expect(planned({ image: OTHER, run_as_root: true }, { image: IMAGE })).toEqual({
    reference: IMAGE,
    run_as_root: false,
  });
});

test('an image takes the place of template and packages', () => {
  const pack = { sandbox_template_id: 'base', additional_packages: ['jq'] };
  expect(plannedSandbox(pack)).toMatchObject({ sandbox_template_id: 'base', additional_packages: ['jq'] });
  const planned = plannedSandbox(pack, { own: { image: IMAGE } });
  expect(planned).toMatchObject({ image: { reference: IMAGE }, additional_packages: [] });
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
