import { type Run, type RunAgent, RunRequest } from '@agentclash/contracts';
import { describe, expect, test } from '@jest/globals';
import { repeatRequest } from './run-again.js';

const id = (number: number) => `01890000-0000-7000-8000-${String(number).padStart(12, '0')}`;

const RUN: Run = {
  ...{ id: id(1), workspace_id: id(2), name: 'nightly', status: 'completed' },
  ...{ challenge_pack_version_id: id(3), evaluation_spec_id: id(4) },
  ...{ pack: { slug: 'sums', name: 'Sums', version_number: 3 }, input_set: { id: id(5), key: 'main' } },
  ...{
    repetitions: 2,
    max_concurrency: 8,
    limits: { max_iterations: 5 },
    labels: { branch: 'main' },
    warnings: [],
  },
  progress: { total: 0, queued: 0, running: 0, finished: 0, scored: 0, passed: 0, by_outcome: {} },
  ...{ created_at: '', created_by: 'ada', started_at: null, finished_at: null },
};

const agent = (number: number, deployment: number, variant?: string): RunAgent =>
  ({
    ...{ id: id(number), run_id: RUN.id, deployment_id: id(deployment), name: 'a' },
    ...(variant && { variant: { deployment: 'a', name: variant, baseline: 'bare' } }),
  }) as RunAgent;

describe('a run like another one', () => {
  test('a repeated run has the version, input set, deployments and settings of the first', () => {
    expect(RunRequest.parse(repeatRequest(RUN, [agent(10, 20), agent(11, 21)]))).toEqual({
      ...{ challenge_pack_version_id: id(3), challenge_input_set_id: id(5) },
      ...{ deployment_ids: [id(20), id(21)], repetitions: 2, max_concurrency: 8 },
      ...{ limits: { max_iterations: 5 }, labels: { branch: 'main' }, name: 'nightly' },
    });
  });

  test('the lanes of variants are one deployment with these variants', () => {
    const request = repeatRequest(RUN, [agent(10, 20, 'bare'), agent(11, 20, 'skill')]);
    expect(request).toMatchObject({ deployment_ids: [id(20)], variants: ['bare', 'skill'] });
  });

  test('a repeated run of chosen cases is of these cases, and ends as the first', () => {
    const subset = { case_keys: ['a', 'b'], of: 9, failed_in_run_id: null };
    const stop_when = { budget: { attempts: 4 } };
    const request = repeatRequest({ ...RUN, case_subset: subset, stop_when, seed: 7 }, [agent(10, 20)]);
    expect(RunRequest.parse(request)).toMatchObject({ case_keys: ['a', 'b'], stop_when, seed: 7 });
  });
});
