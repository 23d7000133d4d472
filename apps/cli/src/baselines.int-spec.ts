import { type LaneComparison, routes } from '@agentclash/api';
import { EXIT_CODES } from '@agentclash/domain';
import { waitFor } from '@agentclash/testkit';
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { command } from './testing/command.js';
import { run } from './testing/factories.js';
import { useFakeApi } from './testing/fake-api.js';
import { offerEverything } from './testing/fixtures/everything.js';
import { idOf } from './testing/fixtures/known.js';
import { Terminal } from './testing/terminal.js';

const RUN = idOf(61);
const ACCEPTED = idOf(63);

const { api, env } = useFakeApi();

beforeAll(() => {
  offerEverything(api);
  const accepted = {
    ...{ name: 'default', pack: 'sums', input_set: 'easy', run_id: ACCEPTED, run_agent_id: null },
    ...{ agent_name: null, updated_at: '2026-03-01T12:00:00.000Z', updated_by: 'ada' },
  };
  api.on(routes.baselines.get, () => accepted);
  api.on(routes.baselines.set, ({ body }) => ({
    ...accepted,
    ...{ run_id: JSON.parse(body).run_id, replaced_run_id: ACCEPTED },
  }));
});
beforeEach(() => {
  api.seen.length = 0;
});

const NOTHING = { state: 'unavailable', n: 0, verdict: 'inconclusive', pairs: [] } as const;
const measure = {
  ...NOTHING,
  ...{
    baseline: null,
    candidate: null,
    mean_difference: null,
    se: null,
    ci: null,
    p: null,
    p_adjusted: null,
  },
  ...{ method: null, mde: null, cases_needed: null, raw: { baseline: null, candidate: null }, pairs: [] },
};
const INCOMPARABLE: LaneComparison = {
  ...{ baseline_run_agent_id: idOf(71), candidate_run_agent_id: idOf(71), comparable: false },
  ...{ reasons: ['challenge_pack_version_mismatch'], cases: 0, detect: 0.05 },
  ...{ overall: measure, pass: measure, dimensions: {} },
};
const side = { run_id: ACCEPTED, name: null, selective_retry: false, agents: [] };
const writes = () =>
  api.seen.filter(({ method, path }) => method !== 'GET' && !path.endsWith('/gates/preview'));

describe('reading decides nothing', () => {
  test('eval scorecard shows the decision that a gate would make, and stores none', async () => {
    const { code, stdout } = await command(['eval', 'scorecard', RUN, '--policy', 'lenient'], { env });
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringMatching(/gate +pass/) });
    expect(api.seen.map(({ path }) => path)).toContainEqual(expect.stringMatching(/\/gates\/preview$/));
    expect(writes()).toEqual([]);
  });

  test('the --json of eval scorecard has the decision and the comparison as before', async () => {
    const { stdout } = await command(['eval', 'scorecard', RUN, '--policy', 'lenient', '--json'], { env });
    expect(JSON.parse(stdout)).toMatchObject({
      gate: { verdict: 'pass' },
      comparison: { comparisons: [{}] },
    });
  });

  test('the baseline is looked for among the runs of its pack and input set', async () => {
    await command(['eval', 'scorecard', RUN, '--policy', 'lenient'], { env });
    const lookup = api.seen.find(({ path }) => path.endsWith('/baselines/default'));
    expect([lookup?.query.get('pack'), lookup?.query.get('input_set')]).toEqual(['sums', 'easy']);
  });

  test('a baseline that cannot be compared with the run is printed only when it was named', async () => {
    api.on(routes.gates.preview, ({ body }) => ({
      ...{ verdict: 'insufficient_evidence' as const, reasons: ['not_comparable'], exit_code: 3 },
      ...{ policy_fingerprint: 'ab'.repeat(32), policy: { name: 'default' }, baseline_run_id: ACCEPTED },
      candidate_run_id: JSON.parse(body).candidate_run_id,
      comparison: { baseline: side, candidate: side, comparisons: [INCOMPARABLE] },
    }));
    const silent = await command(['eval', 'scorecard', RUN], { env });
    expect(silent.stdout).not.toMatch(/^gate |comparable/m);
    const named = await command(['eval', 'scorecard', RUN, '--baseline', 'default'], { env });
    expect(named.stdout).toContain('the runs are of different versions of the pack');
  });
});

describe('baselines and policies', () => {
  test('baseline show finds the baseline of the run', async () => {
    const { stdout } = await command(['baseline', 'show', 'default', '--run', RUN], { env });
    expect(stdout).toContain(`default of sums / easy is run ${ACCEPTED}`);
    expect(api.seen.findLast(({ query }) => query.has('pack'))?.query.get('pack')).toBe('sums');
  });

  test('baseline set names the run that it replaced', async () => {
    const { stdout } = await command(['baseline', 'set', RUN, '--yes'], { env });
    expect(stdout).toContain(`is run #41, no longer run ${ACCEPTED}`);
    const [sent] = writes();
    expect(JSON.parse(sent?.body ?? '')).toEqual({ run_id: RUN, replaces: ACCEPTED });
  });

  test('baseline set replaces no run without a terminal or --yes, and prints the command that does', async () => {
    const refused = await command(['baseline', 'set', RUN, '--agent', 'the solver'], { env });
    expect(refused).toMatchObject({ code: EXIT_CODES.usage, stdout: '' });
    expect(refused.stderr).toContain(`is run ${ACCEPTED}, and run #41 would replace it`);
    expect(refused.stderr).toContain(`agentclash baseline set 41 --agent 'the solver' --yes`);
    expect(writes()).toEqual([]);
  });

  test('baseline set prompts on a terminal with both runs, and keeps the baseline after a no', async () => {
    const terminal = Terminal.start(['baseline', 'set', RUN], { env, columns: 200 });
    await waitFor(() => terminal.raw.includes(`Replace run ${ACCEPTED} by run #41`));
    terminal.type('n\r');
    expect(await terminal.ended).toBe(0);
    expect(terminal.raw).toContain('The baseline default is kept');
    expect(writes()).toEqual([]);
  });

  test('baseline set warns of a run of some cases only, which gates compare with no run of all cases', async () => {
    const whole = await command(['baseline', 'set', RUN, '--yes'], { env });
    expect(whole.stderr).toBe('');
    const race = run({ id: idOf(64), case_subset: { case_keys: ['small'], of: 3, failed_in_run_id: null } });
    api.on(routes.runs.get, () => race);
    const part = await command(['baseline', 'set', idOf(64), '--yes'], { env });
    expect(part).toMatchObject({ code: 0, stdout: expect.stringContaining(`is run ${idOf(64)}`) });
    expect(part.stderr).toContain('The baseline covers 1 of the 3 cases of the input set');
  });

  test('baseline clear removes the baseline of the pack and input set that it found', async () => {
    await command(['baseline', 'clear', 'default'], { env });
    const removal = api.seen.find(({ method }) => method === 'DELETE');
    expect([removal?.query.get('pack'), removal?.query.get('input_set')]).toEqual(['sums', 'easy']);
  });

  test('baseline list reads every page, of a pack or a name alone', async () => {
    const one = (name: string) => ({
      ...{ name, pack: 'sums', input_set: 'easy', run_id: ACCEPTED, run_agent_id: null, agent_name: null },
      ...{ updated_at: '2026-03-01T12:00:00.000Z', updated_by: 'ada' },
    });
    api.on(routes.baselines.list, ({ query }) =>
      query.get('cursor') === null
        ? { items: [one('default')], next_cursor: 'more' }
        : { items: [one('release')], next_cursor: null },
    );
    const { code, stdout } = await command(['baseline', 'list', '--json'], { env });
    expect(code).toBe(0);
    expect(JSON.parse(stdout).items.map(({ name }: { name: string }) => name)).toEqual([
      'default',
      'release',
    ]);
    await command(['baseline', 'list', '--pack', 'sums', '--name', 'release'], { env });
    const { query } = api.seen.findLast((request) => request.query.has('limit')) ?? {};
    expect([query?.get('pack'), query?.get('name')]).toEqual(['sums', 'release']);
    const shown = await command(['baseline', 'list'], { env });
    expect(shown.stdout).toMatch(/BASELINE +PACK +INPUT SET +RUN/);
  });

  test('gate-policy show default prints the built-in policy where none of that name is stored', async () => {
    const { code, stdout } = await command(['gate-policy', 'show', 'default'], { env });
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringMatching(/built in +true/) });
    expect(stdout).toContain('correctness: warns from 0.02, fails from 0.05, only if significant');
    expect(stdout).toContain('a dimension that a side lacks is a note');
    expect(stdout).not.toContain('{');
    const other = await command(['gate-policy', 'show', 'unheard-of'], { env });
    expect(other.code).toBe(66);
  });
});
