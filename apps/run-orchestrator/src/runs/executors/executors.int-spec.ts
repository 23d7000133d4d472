import {
  attempts,
  type Deployment,
  deployments,
  type ExecutorReport,
  executors,
  fleet,
  modelAliases,
  providerAccounts,
} from '@agentclash/contracts';
import { publish, wordPack } from '@agentclash/run-rules/testing/published-pack';
import { newId } from '@agentclash/service-kit';
import { waitFor } from '@agentclash/testkit';
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { claim, executeAttempt } from '../../testing/executor.js';
import { openOrchestrator } from '../../testing/orchestrator-fixture.js';

const fixture = await openOrchestrator({ OPERATOR_UNLOCK: '127.0.0.0/8' });
const { fakes, database, workspaceId: workspace_id } = fixture;

const words = fakes.add(publish(wordPack(1)));
const template = fakes.add(publish(wordPack(1, { version: '  sandbox: {sandbox_template_id: py}\n' })));
const packages = fakes.add(publish(wordPack(1, { version: '  sandbox: {additional_packages: [jq]}\n' })));
const online = fakes.add(publish(wordPack(1, { version: '  sandbox: {network_access: true}\n' })));

function report(executor_id: string, changes: Partial<ExecutorReport> = {}): Promise<object> {
  return fixture.bus.call(executors.report, {
    executor_id,
    provider: 'bubblewrap',
    isolation: 'full',
    attempts_max: 4,
    capabilities: { packages: false, egress_proxy: true },
    images: [{ template: null, packages: ['sed'] }],
    ...changes,
  });
}

const WITH_TEMPLATE = { images: [{ template: 'py', packages: [] }] };
const INTEGRITY = `sha512-${'A'.repeat(86)}==`;
const PRESET = {
  name: 'mine',
  title: 'Mine',
  wires: ['chat' as const],
  command: ['{{packages}}/mine/run'],
  packages: [{ name: 'mine', version: '1.0.0', integrity: INTEGRITY }],
};
const OFFLINE = { capabilities: { packages: false, egress_proxy: false } };

describe('the executors at work decide what can run:', () => {
  let agent: Deployment;
  let program: Deployment;

  beforeAll(async () => {
    agent = await fixture.scripted('agent');
    program = await fixture.bus.call(deployments.create, {
      workspace_id,
      actor: 'tests',
      spec: { name: 'program', kind: 'program', config: { command: ['true'] } },
    });
  });

  beforeEach(async () => {
    fakes.execute = async () => {};
    await database.query('DELETE FROM runs.executors');
  });

  const silence = (id: string) =>
    database.query(`UPDATE runs.executors SET seen_at = now() - interval '121 s' WHERE id = $1`, [id]);
  const codes = ({ warnings }: { warnings: { code: string }[] }) => warnings.map(({ code }) => code);
  const show = async (run_id: string) => {
    const [attempt] = await fixture.attempts(run_id);
    return await fixture.bus.call(attempts.get, { workspace_id, attempt_id: attempt?.id ?? '' });
  };

  test('a pack that one executor can run is admitted without a warning', async () => {
    await report('plain');
    await report('special', WITH_TEMPLATE);
    expect(codes(await fixture.createRun(template.version.id, [agent]))).toEqual([]);
    expect(codes(await fixture.createRun(words.version.id, [agent]))).toEqual([]);
  });

  test('a pack that no executor can run is refused, with the missing capabilities', async () => {
    await report('plain');
    for (const [pack, what] of [
      [template, 'template "py"'],
      [packages, 'jq'],
    ] as const) {
      await expect(fixture.createRun(pack.version.id, [agent])).rejects.toMatchObject({
        code: 'unsupported_capability',
        message: expect.stringContaining(what),
      });
    }
  });

  test('an executor that left or was silent for two minutes does not count, and counts again after a report', async () => {
    await report('plain');
    await report('special', WITH_TEMPLATE);
    const admits = () =>
      fixture.createRun(template.version.id, [agent]).then(
        () => true,
        () => false,
      );
    await silence('special');
    expect(await admits()).toBe(false);
    expect(await fixture.bus.call(executors.renew, { executor_id: 'special' })).toEqual({ is_known: true });
    expect(await admits()).toBe(true);
    await fixture.bus.call(executors.leave, { executor_id: 'special' });
    expect(await admits()).toBe(false);
    expect(await fixture.bus.call(executors.renew, { executor_id: 'special' })).toEqual({ is_known: false });
  });

  test('executors at work are listed with all their capabilities', async () => {
    await report('plain');
    await report('special', WITH_TEMPLATE);
    await silence('plain');
    const { items } = await fixture.bus.call(fleet.list, {});
    expect(items).toMatchObject([{ executor_id: 'special', attempts_max: 4, ...WITH_TEMPLATE }]);
  });

  test('a run that is created while no executor is at work waits, with a warning', async () => {
    const run = await fixture.createRun(template.version.id, [agent]);
    expect(codes(run)).toEqual(['no_executor']);
    fakes.execute = (job, bus) => executeAttempt(job, bus);
    await report('executor-1', WITH_TEMPLATE);
    await database.query(
      `UPDATE runs.attempts SET nudged_at = now() - interval '61 s' WHERE run_id = $1 AND state = 'queued'`,
      [run.id],
    );
    await fixture.expectRunStatus(run.id, 'completed');
  });

  test('an attempt is not given to an executor that cannot run it; its job passes to another at no cost', async () => {
    await report('plain');
    await report('executor-1', WITH_TEMPLATE);
    const run = await fixture.createRun(template.version.id, [agent]);
    const { id } = await show(run.id);
    await waitFor(() => fakes.jobs.some((job) => job.attempt_id === id));
    expect(await claim(fixture.bus, id, 'plain')).toEqual({ claimed: false, reason: 'for_another' });
    expect(await show(run.id)).toMatchObject({ state: 'queued', delivery: 0 });
    fakes.execute = (job, bus) => executeAttempt(job, bus);
    await fixture.expectRunStatus(run.id, 'completed');
    expect((await show(run.id)).deliveries).toMatchObject([{ delivery: 1, outcome: 'completed' }]);
  });

  test('an attempt of a coding agent is given to no executor that cannot show packages', async () => {
    const actor = 'tests';
    const account = await fixture.bus.call(providerAccounts.create, {
      workspace_id,
      actor,
      spec: { name: 'local', provider_key: 'openai_compatible', base_url: 'http://127.0.0.1:11434/v1' },
    });
    await fixture.bus.call(modelAliases.create, {
      workspace_id,
      actor,
      spec: { name: 'main', provider_account_id: account.id, model: 'm' },
    });
    const coder = await fixture.bus.call(deployments.create, {
      workspace_id,
      actor,
      spec: { name: 'coder', kind: 'program', config: { preset: PRESET, models: { main: 'main' } } },
    });
    const capabilities = { packages: false, egress_proxy: true };
    await report('pods', { provider: 'kubernetes', capabilities });
    await expect(fixture.createRun(words.version.id, [coder])).rejects.toMatchObject({
      code: 'unsupported_capability',
      message: expect.stringContaining('AGENT_PACKAGES_CLAIM'),
    });
    await report('executor-1', {
      provider: 'kubernetes',
      capabilities: { ...capabilities, agent_packages: true },
    });
    const run = await fixture.createRun(words.version.id, [coder]);
    const { id } = await show(run.id);
    await waitFor(() => fakes.jobs.some((job) => job.attempt_id === id));
    expect(await claim(fixture.bus, id, 'pods')).toEqual({ claimed: false, reason: 'for_another' });
    fakes.execute = (job, bus) => executeAttempt(job, bus);
    await fixture.expectRunStatus(run.id, 'completed');
  });

  test('an attempt that no executor can run any more ends as an infrastructure error with the reason', async () => {
    await report('special', WITH_TEMPLATE);
    const run = await fixture.createRun(template.version.id, [agent]);
    const { id } = await show(run.id);
    await fixture.bus.call(executors.leave, { executor_id: 'special' });
    await report('plain');
    expect(await claim(fixture.bus, id, 'plain')).toEqual({
      claimed: false,
      reason: 'unsupported_capability',
    });
    expect((await show(run.id)).deliveries).toMatchObject([
      { outcome: 'infra_error', error: { code: 'unsupported_capability', retryable: true } },
    ]);
  });

  test('processes that stay offline are a warning when the run is created', async () => {
    await report('plain', OFFLINE);
    const run = await fixture.createRun(online.version.id, [program]);
    expect(codes(run)).toEqual(['program_exceeds_tool_policy', 'sandbox_offline']);
  });

  test('offline processes are one warning when that shows only as attempts are claimed', async () => {
    const run = await fixture.createRun(online.version.id, [program], { repetitions: 2 });
    expect(codes(run)).toEqual(['program_exceeds_tool_policy', 'no_executor']);
    await report('executor-1', OFFLINE);
    for (const { id } of await fixture.attempts(run.id)) {
      expect(await claim(fixture.bus, id, 'executor-1')).toMatchObject({ claimed: true });
    }
    expect(codes(await fixture.run(run.id))).toEqual([
      'program_exceeds_tool_policy',
      'no_executor',
      'sandbox_offline',
    ]);
  });

  test('an unknown capability of an executor is no reason for a refusal', async () => {
    await report('special', WITH_TEMPLATE);
    const run = await fixture.createRun(template.version.id, [agent]);
    const { id } = await show(run.id);
    expect(await claim(fixture.bus, id, newId())).toMatchObject({ claimed: true });
  });
});
