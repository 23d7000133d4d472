import type { AttemptPlan } from '@agentclash/attempt-plan';
import { type DeploymentSpec, deployments, profiles, runs } from '@agentclash/contracts';
import { publish, wordPack } from '@agentclash/run-rules/testing/published-pack';
import { newId } from '@agentclash/service-kit';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { claim } from '../../testing/executor.js';
import { openOrchestrator } from '../../testing/orchestrator-fixture.js';

const fixture = await openOrchestrator();
const { fakes, workspaceId: workspace_id } = fixture;
const TOOL = `tools:
  custom:
    - name: stock
      description: Looks a part up.
      parameters: {type: object, properties: {part: {type: string}}, additionalProperties: false}
      implementation:
        primitive: http_request
        args: {method: GET, url: 'https://stock.example.com/\${query:part}', headers: {Authorization: 'Bearer \${secrets.STOCK_TOKEN}'}}
`;
const NETWORK = '  sandbox: {network_access: true}\n';

describe('creating a run', () => {
  let agent: Awaited<ReturnType<typeof fixture.scripted>>;
  let program: typeof agent;

  const deploy = (spec: DeploymentSpec) =>
    fixture.bus.call(deployments.create, { workspace_id, actor: 'tests', spec });
  const countRows = async () => {
    const [row] = await fixture.database.query<{ count: string }>('SELECT count(*) FROM runs.runs');
    return Number(row?.count);
  };

  beforeAll(async () => {
    agent = await fixture.scripted('agent');
    program = await deploy({ name: 'program', kind: 'program', config: { command: ['true'] } });
  });

  describe('is refused, and nothing is written,', () => {
    const words = fakes.add(publish(wordPack(1)));
    const archived = fakes.add(publish(wordPack(1)));
    archived.version.lifecycle_status = 'archived';
    const unaudited = fakes.add(publish(wordPack(1)));
    unaudited.version.audit_shortfall = 'audit_not_passed';
    const twoSets = fakes.add(publish(wordPack(1)));
    twoSets.inputSets.push({ ...(twoSets.inputSets[0] ?? never()), id: newId(), key: 'more' });
    const noSets = fakes.add(publish(wordPack(1)));
    noSets.inputSets.length = 0;
    const packages = fakes.add(publish(wordPack(1, { version: '  sandbox: {additional_packages: [jq]}\n' })));
    const prompt = fakes.add(publish(wordPack(1, { version: '  execution_mode: prompt_eval\n' })));
    const secret = fakes.add(publish(wordPack(1, { version: NETWORK, rest: TOOL })));

    test.each([
      ['of a version that does not exist', () => newId(), () => [agent], 'not_found'],
      ['of an archived version', () => archived.version.id, () => [agent], 'version_archived'],
      [
        'of a version without the audit that the workspace requires',
        () => unaudited.version.id,
        () => [agent],
        'audit_required',
      ],
      [
        'without a choice among several input sets',
        () => twoSets.version.id,
        () => [agent],
        'input_set_required',
      ],
      ['of a version without input sets', () => noSets.version.id, () => [agent], 'no_input_sets'],
      ['of a pack that needs packages', () => packages.version.id, () => [agent], 'unsupported_capability'],
      [
        'of a prompt_eval pack with a program',
        () => prompt.version.id,
        () => [agent, program],
        'incompatible_deployment',
      ],
      ['when a secret of its tools is not set', () => secret.version.id, () => [agent], 'missing_secret'],
      [
        'with a deployment that does not exist',
        () => words.version.id,
        () => [{ ...agent, id: newId() }],
        'not_found',
      ],
      ['with one deployment twice', () => words.version.id, () => [agent, agent], 'invalid_input'],
    ])('a run %s is refused, and nothing is written', async (_what, version, agents, code) => {
      const before = await countRows();
      await expect(fixture.createRun(version(), agents())).rejects.toMatchObject({ code });
      expect(await countRows()).toBe(before);
    });

    test('a run without an input set is rejected with the list of input sets', async () => {
      const [first, second] = twoSets.inputSets;
      await expect(fixture.createRun(twoSets.version.id, [agent])).rejects.toMatchObject({
        details: {
          input_sets: [
            { id: first?.id, key: 'all' },
            { id: second?.id, key: 'more' },
          ],
        },
      });
    });

    test('a run with an archived deployment is refused', async () => {
      const { id: deployment_id } = await fixture.scripted('retired');
      const retired = await fixture.bus.call(deployments.archive, { workspace_id, deployment_id });
      await expect(fixture.createRun(words.version.id, [retired])).rejects.toMatchObject({
        code: 'conflict',
      });
    });
  });

  test('a run warns of secrets that are bound to nothing', async () => {
    fakes.secrets.add('STOCK_TOKEN');
    fakes.unboundSecrets.add('STOCK_TOKEN');
    const pack = fakes.add(publish(wordPack(1, { version: NETWORK, rest: TOOL })));
    const { warnings } = await fixture.createRun(pack.version.id, [agent]);
    expect(warnings).toEqual([
      {
        code: 'secret_unbound',
        message: expect.stringContaining('the secret STOCK_TOKEN is bound to no origin'),
      },
    ]);
    fakes.unboundSecrets.clear();
    expect((await fixture.createRun(pack.version.id, [agent])).warnings).toEqual([]);
  });

  test('a run opens exactly the secrets that its pack names', async () => {
    fakes.secrets.add('STOCK_TOKEN');
    const pack = fakes.add(publish(wordPack(1, { version: NETWORK, rest: TOOL })));
    const run = await fixture.createRun(pack.version.id, [agent]);
    expect(fakes.granted).toContainEqual(
      expect.objectContaining({ run_id: run.id, keys: ['STOCK_TOKEN'], judges: [] }),
    );
  });

  test('a run pins deployment, profile and files: later changes do not reach it', async () => {
    const file = { id: newId(), sha256: 'a'.repeat(64), bytes: 7, name: 'solve.py', media_type: null };
    fakes.artifacts.set(file.id, { ...file, created_at: new Date().toISOString(), created_by: 'tests' });
    const profile = await fixture.bus.call(profiles.create, {
      workspace_id,
      spec: { name: 'p', max_tool_calls: 5 },
    });
    const spec: DeploymentSpec = {
      name: 'pinned',
      kind: 'program',
      runtime_profile_id: profile.id,
      config: {
        command: ['python3', '/agent/solve.py'],
        files: [{ path: 'solve.py', artifact_id: file.id }],
      },
    };
    const pinned = await deploy(spec);
    const pack = fakes.add(publish(wordPack(1)));
    const run = await fixture.createRun(pack.version.id, [pinned], { limits: { run_timeout_seconds: 9 } });
    expect(run.warnings).toMatchObject([{ code: 'program_exceeds_tool_policy' }]);
    const change = { ...spec, config: { command: ['false'] } };
    await fixture.bus.call(deployments.update, {
      workspace_id,
      deployment_id: pinned.id,
      spec: change,
      actor: 'tests',
    });
    const changed = { name: 'p', max_tool_calls: 6 };
    await fixture.bus.call(profiles.update, { workspace_id, profile_id: profile.id, spec: changed });

    const [attempt] = await fixture.attempts(run.id);
    const reply = await claim(fixture.bus, attempt?.id ?? '', 'e');
    if (!reply.claimed) throw new Error(reply.reason);
    const plan = reply.plan as Partial<AttemptPlan>;
    expect(plan.agent).toEqual({
      kind: 'program',
      config: {
        command: ['python3', '/agent/solve.py'],
        files: [{ path: 'solve.py', artifact: { artifact_id: file.id, sha256: file.sha256, bytes: 7 } }],
      },
    });
    expect(plan.limits).toMatchObject({ max_tool_calls: 5, run_timeout_seconds: 9 });
  });

  test('a run gives every attempt a new UUIDv7 of its own', async () => {
    const before = Date.now();
    const run = await fixture.createRun(fakes.add(publish(wordPack(9))).version.id, [agent], {
      repetitions: 9,
    });
    const ids = (await fixture.attempts(run.id)).map(({ id }) => id);
    expect(new Set(ids).size).toBe(81);
    for (const id of ids) {
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      const madeAt = Number.parseInt(id.replace('-', '').slice(0, 12), 16);
      expect(madeAt).toBeGreaterThanOrEqual(before);
      expect(madeAt).toBeLessThanOrEqual(Date.now());
    }
  });

  test('concurrent requests with one request id create one run, also after it was launched', async () => {
    const pack = fakes.add(publish(wordPack(3)));
    const createRun = (request_id: string, name: string) =>
      fixture.bus.call(runs.create, {
        ...{ workspace_id, actor: 'tests', request_id },
        request: { challenge_pack_version_id: pack.version.id, deployment_ids: [agent.id], name },
      });
    const before = await countRows();
    const requested = await Promise.all(
      Array.from({ length: 8 }, (_, n) => createRun('order-1', `try ${n}`)),
    );
    const again = await createRun('order-1', 'late');
    expect(new Set([...requested, again].map(({ id }) => id)).size).toBe(1);
    expect(await createRun('order-2', 'another')).not.toMatchObject({ id: again.id });
    expect(await countRows()).toBe(before + 2);
    const stranger = { workspace_id: newId(), actor: 'x', request_id: 'order-1' };
    const request = { challenge_pack_version_id: newId(), deployment_ids: [agent.id] };
    await expect(fixture.bus.call(runs.create, { ...stranger, request })).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  test('a run has no more attempts in flight than its concurrency', async () => {
    const pack = fakes.add(publish(wordPack(9)));
    const run = await fixture.createRun(pack.version.id, [agent], { max_concurrency: 2 });
    const [row] = await fixture.database.query<{ count: string }>(
      'SELECT count(*) FROM runs.attempts WHERE run_id = $1 AND nudged_at IS NOT NULL',
      [run.id],
    );
    expect(Number(row?.count)).toBe(2);
  });

  test('runs are listed newest first, by status, pack, deployment, label and part of their name, page by page', async () => {
    const pack = fakes.add(publish(wordPack(1, { slug: 'listed' })));
    const named = { labels: { team: 'red' }, name: 'Nightly 100%' };
    const first = await fixture.createRun(pack.version.id, [agent], named);
    const second = await fixture.createRun(pack.version.id, [agent, program], { labels: { team: 'blue' } });
    const list = async (filters: object) =>
      (await fixture.bus.call(runs.list, { workspace_id, pack: 'listed', ...filters })).items.map(
        ({ id }) => id,
      );
    expect(await list({})).toEqual([second.id, first.id]);
    expect(await list({ deployment: program.id })).toEqual([second.id]);
    expect(await list({ deployment_id: program.id })).toEqual([second.id]);
    expect(await list({ deployment: program.name })).toEqual([second.id]);
    expect(await list({ deployment: agent.name })).toEqual([second.id, first.id]);
    expect(await list({ deployment: 'unknown' })).toEqual([]);
    expect(await list({ label: 'team=red' })).toEqual([first.id]);
    expect(await list({ label: 'team' })).toEqual([second.id, first.id]);
    expect(await list({ label: 'none' })).toEqual([]);
    expect(await list({ status: 'completed' })).toEqual([]);
    expect(await list({ q: 'nightLY' })).toEqual([first.id]);
    expect(await list({ q: '100%' })).toEqual([first.id]);
    expect(await list({ q: '_' })).toEqual([]);
    expect(await list({ q: 'LIST' })).toEqual([second.id, first.id]);
    const page = await fixture.bus.call(runs.list, { workspace_id, pack: 'listed', limit: 1 });
    const next = await fixture.bus.call(runs.list, {
      workspace_id,
      pack: 'listed',
      cursor: page.next_cursor ?? '',
    });
    expect([page.items[0]?.id, next.items[0]?.id, next.next_cursor]).toEqual([second.id, first.id, null]);
    await expect(fixture.bus.call(runs.list, { workspace_id, cursor: 'garbage' })).rejects.toMatchObject({
      code: 'invalid_input',
    });
  });

  test('another workspace finds no run', async () => {
    const pack = fakes.add(publish(wordPack(1)));
    const { id: run_id } = await fixture.createRun(pack.version.id, [agent]);
    const stranger = { workspace_id: newId(), run_id };
    for (const message of [runs.get, runs.agents, runs.events]) {
      await expect(fixture.bus.call(message, stranger)).rejects.toMatchObject({ code: 'not_found' });
    }
    await expect(fixture.bus.call(runs.cancel, { ...stranger, actor: 'x' })).rejects.toMatchObject({
      code: 'not_found',
    });
    const { items } = await fixture.bus.call(runs.agents, { workspace_id, run_id });
    const lane = { run_agent_id: items[0]?.id ?? '' };
    expect(await fixture.bus.call(runs.agent, { workspace_id, ...lane })).toEqual(items[0]);
    const requested = fixture.bus.call(runs.agent, { workspace_id: stranger.workspace_id, ...lane });
    await expect(requested).rejects.toMatchObject({ code: 'not_found' });
  });
});

function never(): never {
  throw new Error('the pack has an input set');
}
