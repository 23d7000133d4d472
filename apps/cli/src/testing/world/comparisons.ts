import { type MeasureComparison, routes } from '@agentclash/api';
import type { FakeApi } from '../fake-api.js';
import { AT, found, idOf, pageOf } from './known.js';

const MEASURE: MeasureComparison = {
  ...{ state: 'available', n: 40, baseline: 0.8, candidate: 0.75, mean_difference: -0.05, se: 0.02 },
  ...{ ci: [-0.09, -0.01], p: 0.02, p_adjusted: 0.06, method: 'paired_t', mde: 0.057, cases_needed: 52 },
  ...{ interval: [-0.09, -0.01], detectable: 0.186, negligible: false },
  ...{ verdict: 'inconclusive', raw: { baseline: null, candidate: null }, pairs: [] },
};
const lane = [{ run_agent_id: idOf(71), name: 'solver' }];

const COMPARED = {
  baseline: { run_id: idOf(61), name: 'nightly', selective_retry: false, agents: lane },
  candidate: { run_id: idOf(62), name: null, selective_retry: false, agents: lane },
  comparisons: [
    {
      ...{ baseline_run_agent_id: idOf(71), candidate_run_agent_id: idOf(71), comparable: true, reasons: [] },
      ...{ cases: 40, tests: 2, detect: 0.05, overall: MEASURE, pass: MEASURE },
      dimensions: { correctness: { ...MEASURE, verdict: 'worse' as const, p_adjusted: 0.0002 } },
    },
  ],
};

/** By the name of the policy: each verdict once. */
const VERDICTS = {
  lenient: { verdict: 'pass', reasons: ['within_thresholds'], exit_code: 0 },
  release: { verdict: 'fail', reasons: ['regression_fail:correctness'], exit_code: 1 },
  careful: { verdict: 'warn', reasons: ['regression_warn:correctness'], exit_code: 2 },
  thorough: { verdict: 'insufficient_evidence', reasons: ['too_few_cases'], exit_code: 3 },
} as const;

const baseline = {
  ...{
    name: 'default',
    pack: 'sums',
    input_set: 'main',
    run_id: idOf(61),
    run_agent_id: null,
    agent_name: null,
  },
  ...{ updated_at: AT, updated_by: 'ada' },
};

export function offerComparisons(api: FakeApi): void {
  api.on(routes.comparisons.compare, () => COMPARED);
  api.on(routes.comparisons.get, ({ params }) => ({
    ...COMPARED,
    ...{ id: params.comparison_id ?? '', created_at: AT },
  }));
  const decide = (body: string) => {
    const { policy = 'release', candidate_run_id } = JSON.parse(body);
    const known = Object.entries(VERDICTS);
    const [name, decided] = found(known, ([each]) => each === policy, 'gate policy');
    return {
      ...decided,
      ...{ reasons: [...decided.reasons], policy_fingerprint: 'ab'.repeat(32) },
      ...{ notes: ['dimension_unavailable:cost'], detectable: { correctness: 0.186 } },
      policy: { name, comparisons: { correctness: { max_regression: { warn: 0.02, fail: 0.05 } } } },
      ...{ baseline_run_id: idOf(61), candidate_run_id },
    };
  };
  api.on(routes.gates.evaluate, ({ body }) => ({ ...decide(body), comparison_id: idOf(95), decided_at: AT }));
  api.on(routes.gates.preview, ({ body }) => ({ ...decide(body), comparison: COMPARED }));
  api.on(routes.baselines.list, () => pageOf([baseline]));
  api.on(routes.baselines.get, ({ params }) =>
    found([baseline], ({ name }) => name === params.name, 'baseline'),
  );
  api.on(routes.baselines.set, ({ params, body }) => ({
    ...baseline,
    ...{ name: params.name ?? '', run_id: JSON.parse(body).run_id },
    replaced_run_id: params.name === 'default' ? idOf(61) : null,
  }));
  api.on(routes.baselines.remove, () => undefined);
}
