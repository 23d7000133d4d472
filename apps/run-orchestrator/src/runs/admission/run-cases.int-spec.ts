import { busApi, runs } from '@agentclash/contracts';
import { publish, wordPack } from '@agentclash/run-rules/testing/published-pack';
import { newId } from '@agentclash/service-kit';
import { waitFor } from '@agentclash/testkit';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { executeAttempt } from '../../testing/executor.js';
import { openOrchestrator } from '../../testing/orchestrator-fixture.js';
import { openRunRequestClient } from '../../testing/run-requests.js';

const fixture = await openOrchestrator();
const client = openRunRequestClient(fixture);
const { fakes, workspaceId: workspace_id } = fixture;

describe('a run of some cases', () => {
  const pack = fakes.add(publish(wordPack(5)));
  const other = fakes.add(publish(wordPack(5, { slug: 'other' })));
  let agents: Awaited<ReturnType<typeof fixture.scripted>>[];

  beforeAll(async () => {
    agents = [await fixture.scripted('good'), await fixture.scripted('poor')];
    fakes.execute = (job, bus) => executeAttempt(job, bus);
  });

  const casesOf = async (run_id: string) => [
    ...new Set((await fixture.attempts(run_id)).map(({ case_key }) => case_key)),
  ];

  test('a run of some cases has attempts of these alone, in authored order, and records its part of the input set', async () => {
    const case_keys = ['case-4', 'case-2'];
    const { id } = await fixture.createRun(pack.version.id, agents, { case_keys, repetitions: 2 });
    expect(await fixture.expectRunStatus(id, 'completed')).toMatchObject({
      progress: { total: 8 },
      case_subset: { case_keys: ['case-2', 'case-4'], of: 5, failed_in_run_id: null },
    });
    expect(await casesOf(id)).toEqual(['case-2', 'case-4']);
    const own = (await fixture.history(id)).filter(({ delivery }) => delivery === undefined);
    expect(own.at(-1)).toMatchObject({
      event_type: 'run.completed',
      payload: { case_share: { cases: 2, of: 5, failed_in_run_id: null } },
    });
  });

  test('a run of failed cases takes those that some agent did not pass in an earlier run', async () => {
    fakes.judge = ({ case_key }) => (case_key === 'case-2' || case_key === 'case-5' ? 0 : 1);
    const earlier = await fixture.createRun(pack.version.id, agents);
    expect(earlier.case_subset).toBeUndefined();
    await fixture.expectRunStatus(earlier.id, 'completed');
    fakes.judge = () => 1;
    const again = await fixture.createRun(pack.version.id, agents, { only_failed_of: earlier.id });
    expect(again.case_subset).toEqual({
      case_keys: ['case-2', 'case-5'],
      of: 5,
      failed_in_run_id: earlier.id,
    });
    await fixture.expectRunStatus(again.id, 'completed');
    await expect(
      fixture.createRun(pack.version.id, agents, { only_failed_of: again.id }),
    ).rejects.toMatchObject({ code: 'invalid_input' });
  });

  test('a run of cases is refused for unknown cases, both selections, another pack, and no finished run', async () => {
    const refused = (versionId: string, request: object) =>
      fixture.createRun(versionId, agents, request).then(
        () => 'accepted',
        ({ code, details }) => [code, details.errors?.[0]?.field],
      );
    const { id } = pack.version;
    expect(await refused(id, { case_keys: ['case-9'] })).toEqual(['invalid_input', 'case_keys[0]']);
    expect(await refused(id, { case_keys: ['case-1'], only_failed_of: newId() })).toEqual([
      'invalid_input',
      'request.case_keys',
    ]);
    expect(await refused(id, { only_failed_of: newId() })).toEqual(['not_found', undefined]);
    fakes.execute = async () => {};
    const waiting = await fixture.createRun(id, agents);
    expect(await refused(id, { only_failed_of: waiting.id })).toEqual(['conflict', undefined]);
    expect(await refused(other.version.id, { only_failed_of: waiting.id })).toEqual([
      'invalid_input',
      'only_failed_of',
    ]);
  });

  test('a subset of cases can be requested on the bus', async () => {
    const request_id = newId();
    const order = {
      ...{ request_id, workspace_id, requested_by: 'tests', challenge_pack_version_id: pack.version.id },
      ...{ deployment_names: ['good'], case_keys: ['case-3'] },
    };
    await client.put(order, newId());
    const run = await waitFor(() =>
      fixture.bus.call(busApi.get, { workspace_id, request_id }).catch(() => undefined),
    );
    expect(run.case_subset).toMatchObject({ case_keys: ['case-3'], of: 5 });
  });

  test('a list of runs names the first hundred cases of a large subset, and the run itself all of them', async () => {
    fakes.execute = async () => {};
    const large = fakes.add(publish(wordPack(130, { slug: 'large' })));
    const case_keys = Array.from({ length: 120 }, (_, index) => `case-${index + 1}`);
    const run = await fixture.createRun(large.version.id, agents, { case_keys });
    expect(run.case_subset).toEqual({ case_keys, of: 130, failed_in_run_id: null });
    const { items } = await fixture.bus.call(runs.list, { workspace_id, pack: 'large' });
    expect(items.map(({ case_subset }) => case_subset)).toEqual([
      { case_keys: case_keys.slice(0, 100), omitted: 20, of: 130, failed_in_run_id: null },
    ]);
  });
});
