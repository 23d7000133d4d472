import type { Deployment } from '@agentclash/contracts';
import { describe, expect, test } from '@jest/globals';
import { baselineWarnings, lanesOf } from './lanes.js';

const deployment = (name: string, variants?: Deployment['variants'], baseline = 'bare'): Deployment => ({
  id: name,
  name,
  kind: 'program',
  revision: 1,
  runtime_profile_id: null,
  config: { preset: 'codex', models: { main: 'large', small: 'mini' }, env: { A: '1' } },
  ...(variants && { variants, baseline }),
  status: 'active',
  created_at: '',
  updated_at: '',
});
const coder = deployment('coder', {
  bare: {},
  docs: { instructions: 'Run the tests.' },
  small: { models: { main: 'mini' }, env: { B: '2' } },
});
const plain = deployment('plain');
const names = (chosen?: string[], deployments = [coder, plain]) =>
  lanesOf(deployments, chosen).map((lane) => lane.deployment.name);

describe('Lanes of a run', () => {
  test('A deployment with variants has a lane for each, in their order, and another has one', () => {
    expect(names()).toEqual(['coder (bare)', 'coder (docs)', 'coder (small)', 'plain']);
    expect(lanesOf([coder])[1]?.variant).toEqual({ deployment: 'coder', name: 'docs', baseline: 'bare' });
    expect(lanesOf([plain])).toEqual([{ deployment: plain }]);
  });

  test('A variant is merged over the configuration: maps by members, everything else as a whole', () => {
    expect(lanesOf([coder]).map((lane) => lane.deployment.config)).toEqual([
      coder.config,
      { ...coder.config, instructions: 'Run the tests.' },
      { preset: 'codex', models: { main: 'mini', small: 'mini' }, env: { A: '1', B: '2' } },
    ]);
  });

  test('A variant with a model alias drops the account and the model of the deployment', () => {
    const model = { ...deployment('m', { bare: {}, other: { model_alias: 'n' } }), kind: 'model' as const };
    const [, other] = lanesOf([{ ...model, config: { provider_account_id: 'p', model: 'x', sampling: {} } }]);
    expect(other?.deployment.config).toEqual({ model_alias: 'n', sampling: {} });
  });

  test('Chosen variants are the only lanes of their deployments', () => {
    expect(names(['small', 'bare'])).toEqual(['coder (bare)', 'coder (small)', 'plain']);
  });

  test('A variant of no deployment is refused with the nearest name', () => {
    expect(() => names(['dcs'])).toThrow(
      'There is no variant "dcs": the deployments have the variants bare, docs, small.',
    );
    expect(() => names(['docs'], [plain])).toThrow('the deployments have no variants');
  });

  test('A deployment without any of the chosen variants is refused', () => {
    const other = deployment('other', { one: {}, two: {} }, 'one');
    expect(() => names(['docs'], [coder, other])).toThrow(
      'The deployment "other" has none of the chosen variants; it has one, two.',
    );
  });

  test('Lanes of one name and more than 64 lanes are refused', () => {
    expect(() => names(undefined, [coder, deployment('coder (docs)')])).toThrow(
      'Two lanes of the run would have the name "coder (docs)".',
    );
    const many = Array.from({ length: 33 }, (_, n) => deployment(`d${n}`, { bare: {}, b: { env: {} } }));
    expect(() => names(undefined, many)).toThrow('66 lanes');
  });

  test('A run without the baseline of its variants has a warning, and one with it has none', () => {
    expect(baselineWarnings(lanesOf([coder, plain], ['docs']))).toMatchObject([
      { code: 'baseline_not_chosen', message: expect.stringContaining('The baseline "bare" of "coder"') },
    ]);
    expect(baselineWarnings(lanesOf([coder, plain]))).toEqual([]);
  });
});
