import { routes, type VariantComparison } from '@agentclash/api';
import { expect, test } from '@jest/globals';
import { screen, within } from '@testing-library/react';
import { agentOf, id, RUN, runOf } from '../../testing/fixtures.js';
import { openApp, server } from '../../testing/open-app.js';

const NAMES = ['bare', 'skill', 'docs', 'small'];
const lanes = NAMES.map((name, index) => agentOf(300 + index, `coder (${name})`));

const comparison = (at: number, values: Partial<VariantComparison>): VariantComparison => ({
  ...{ run_agent_id: id(300 + at), baseline_run_agent_id: id(300), deployment: 'coder' },
  ...{ variant: NAMES[at] ?? '', baseline: 'bare', measure: 'pass', cases: 40, baseline_mean: 0.5 },
  ...{ variant_mean: 0.5, difference: 0, interval: [-0.05, 0.05], p: 1, p_adjusted: 1, tests: 3 },
  ...{ verdict: 'no_difference_shown', detect: 0.05, more_cases: 274, negligible: false },
  ...values,
});

function openRanking(variants: VariantComparison[] | undefined): void {
  server.on(routes.runs.get, runOf());
  server.on(routes.runs.agents, { items: lanes, position: 0 });
  server.on(routes.runs.ranking, {
    ...{ run_id: RUN, state: 'ready', revision: 1, ...(variants && { variants }) },
    items: lanes.map(({ id: run_agent_id, name }, index) => ({
      ...{ run_agent_id, name, rank: index + 1, reason: 'overall', overall: 0.5 },
      ...{ passed: true, validity: 'valid' },
    })),
  });
  openApp(`/runs/${RUN}/ranking`);
}

test('The ranking begins with each variant below its baseline, and its verdict in words', async () => {
  openRanking([
    comparison(1, {
      verdict: 'helps',
      difference: 0.2,
      interval: [0.1, 0.3],
      variant_mean: 0.7,
      more_cases: null,
    }),
    comparison(2, {}),
    comparison(3, { verdict: 'harms', difference: -0.17, interval: [-0.3, -0.04], more_cases: null }),
  ]);
  const table = await screen.findByRole('region', { name: 'Variants of coder' });
  const [, ...rows] = within(table).getAllByRole('row');
  const texts = rows.map(({ textContent }) => textContent ?? '');
  expect(texts).toEqual([
    expect.stringMatching(/bare.*baseline.*0\.500/),
    expect.stringMatching(/skill.*helps.*\+20\.0 \[\+10\.0, \+30\.0\].*0\.700/),
    expect.stringMatching(/docs.*no difference shown.*needs 274 more cases/),
    expect.stringMatching(/small.*harms.*−17\.0/),
  ]);
  const [first] = screen.getAllByRole('table');
  expect(table.contains(first ?? null)).toBe(true);
});

test('A ranking without variants has no comparison of variants', async () => {
  openRanking(undefined);
  expect(await screen.findAllByRole('table')).toHaveLength(1);
  expect(screen.queryByText(/Does it help/)).toBeNull();
});
