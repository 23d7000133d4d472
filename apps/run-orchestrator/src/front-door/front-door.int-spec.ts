import {
  type BusEvent,
  busApi,
  type Deployment,
  deployments,
  type Envelope,
  type In,
  runEvents,
  runs,
  sendSubject,
} from '@agentclash/contracts';
import { publish, wordPack } from '@agentclash/run-rules/testing/published-pack';
import { newId } from '@agentclash/service-kit';
import { waitFor } from '@agentclash/testkit';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { SCHEMA } from '../database.js';
import { executeAttempt } from '../testing/executor.js';
import { openOrchestrator } from '../testing/orchestrator-fixture.js';
import { openRunRequestClient } from '../testing/run-requests.js';

/** Needs a secret, so that no run can be created while the vault is unavailable. */
const NETWORK = '  sandbox: {network_access: true}\n';
const TOOL = `tools:
  custom:
    - name: stock
      description: Looks a part up.
      parameters: {type: object, properties: {part: {type: string}}, additionalProperties: false}
      implementation:
        primitive: http_request
        args: {method: GET, url: 'https://stock.example.com/\${query:part}', headers: {Authorization: 'Bearer \${secrets.STOCK_TOKEN}'}}
`;

const fixture = await openOrchestrator();
const client = openRunRequestClient(fixture);
const { fakes, workspaceId: workspace_id } = fixture;

type Reply = In<typeof runEvents.requested> | In<typeof runEvents.rejected>;

describe('a request of an internal service', () => {
  /** Publishes a request unchanged and waits for the event with its id. */
  async function replyTo(content: object | string, messageId: string = newId()): Promise<Reply> {
    const requestId =
      typeof content === 'object' && 'request_id' in content ? String(content.request_id) : messageId;
    const replies = await client.listen<Reply>([runEvents.requested, runEvents.rejected]);
    await client.put(content, messageId);
    const reply = await waitFor(() => replies.find(({ payload }) => payload.request_id === requestId));
    return reply;
  }

  const pack = () => fakes.add(publish(wordPack(1, { slug: `requested-${newId().slice(-12)}` })));
  const runsOf = async (request_id: string) =>
    await fixture.database.query(`SELECT id FROM ${SCHEMA}.runs WHERE request_id = $1`, [request_id]);

  test('a request creates one run, whose id comes first, and whose events follow up to its ranking', async () => {
    fakes.execute = (job, bus) => executeAttempt(job, bus);
    const { version } = pack();
    await fixture.scripted('requested');
    const events = await client.listen<{ event_id: string; run_id?: string; event_type: string }>(
      Object.values(runEvents),
    );
    const request_id = newId();
    const reply = await replyTo({
      request_id,
      workspace_id,
      challenge_pack_version_id: version.id,
      deployment_names: ['requested'],
      requested_by: 'nightly',
      labels: { by: 'nightly' },
    });
    const { run_id } = reply.payload as { run_id: string };
    expect(await fixture.expectRunStatus(run_id, 'completed')).toMatchObject({
      created_by: 'nightly',
      labels: { by: 'nightly' },
    });
    /** A repeated publication, in case the first was lost, is the same event. */
    const own = () => [
      ...new Map(
        events.filter((event) => event.run_id === run_id).map((event) => [event.event_id, event]),
      ).values(),
    ];
    await waitFor(() => own().some(({ event_type }) => event_type === 'run.completed'));
    const history = await fixture.history(run_id);
    const received = history.filter(({ event_type }) => event_type.startsWith('run.'));
    expect(own()).toEqual(received.map(({ position: _, ...event }) => ({ ...event, workspace_id })));
    expect(received.map(({ event_type }) => event_type)).toEqual([
      'run.requested',
      ...['run.state_changed', 'run.state_changed', 'run.attempt_scored'],
      ...['run.state_changed', 'run.state_changed', 'run.completed'],
    ]);
  });

  test('a repeated request is one run, even when its names refer to other resources by then', async () => {
    const { version } = pack();
    const deployment = await fixture.scripted('once');
    const order = {
      request_id: newId(),
      workspace_id,
      challenge_pack: { slug: version.slug },
      deployment_names: ['once'],
      requested_by: 'twice',
    };
    const [first, twin] = await Promise.all([replyTo(order), replyTo(order)]);
    await fixture.bus.call(deployments.archive, { workspace_id, deployment_id: deployment.id });
    const later = await replyTo(order);
    expect([twin.payload, later.payload]).toEqual([first.payload, first.payload]);
    expect(later.event_id).toBe(first.event_id);
    expect(await runsOf(order.request_id)).toHaveLength(1);
  });

  test('a request that names no deployment races the default lineup of the pack, and may name its aliases', async () => {
    const version = '  deployment_defaults: {aliases: {star: lined-up}, lineups: {default: [star]}}\n';
    const pack = fakes.add(publish(wordPack(1, { version, slug: 'lined-up' })));
    await fixture.scripted('lined-up');
    const order = { workspace_id, challenge_pack: { slug: pack.version.slug }, requested_by: 'nightly' };
    for (const choice of [{}, { deployment_names: ['star'] }, { lineup: 'default' }]) {
      const { payload } = await replyTo({ ...order, ...choice, request_id: newId() });
      const { run_id } = payload as { run_id: string };
      const { items } = await fixture.bus.call(runs.agents, { workspace_id, run_id });
      expect(items).toMatchObject([{ name: 'lined-up' }]);
    }
  });

  test('a request is processed again after a failed delivery, without a second run', async () => {
    const { version } = fakes.add(publish(wordPack(1, { version: NETWORK, rest: TOOL })));
    fakes.secrets.add('STOCK_TOKEN');
    const { id } = await fixture.scripted('waiting');
    fakes.grantsToFail = 2;
    const order = {
      request_id: newId(),
      workspace_id,
      challenge_pack_version_id: version.id,
      deployment_ids: [id],
      requested_by: 'waiting',
    };
    expect(await replyTo(order)).toMatchObject({ event_type: 'run.requested' });
    expect(fakes.grantsToFail).toBe(0);
    expect(await runsOf(order.request_id)).toHaveLength(1);
  });

  const valid = {
    workspace_id,
    challenge_pack: { slug: 'no-such-pack' },
    deployment_names: ['unknown'],
    requested_by: 'tests',
  };

  test.each<[string, object | string, object]>([
    ['an unknown pack', valid, { code: 'not_found' }],
    [
      'an unknown member',
      { ...valid, repetitons: 3 },
      {
        code: 'invalid_input',
        detail: 'The request is not valid: repetitons is not known here; "repetitions" is.',
        errors: [{ code: 'unknown_field', field: 'repetitons', suggestion: 'repetitions' }],
      },
    ],
    [
      'both of two choices',
      { ...valid, deployment_ids: [newId()] },
      { errors: [{ field: 'deployment_ids' }] },
    ],
    ['another workspace', { ...valid, workspace_id: newId() }, { errors: [{ field: 'workspace_id' }] }],
    ['a list', [], { code: 'invalid_input', detail: 'The request is not valid: it must be an object.' }],
    ['what is not JSON', '{"request_id": ', { code: 'unreadable' }],
  ])('a request is rejected with its problem and never retried: %s', async (_what, content, problem) => {
    const messageId = newId();
    const isOrder = typeof content === 'object' && !Array.isArray(content);
    const reply = await replyTo(isOrder ? { ...content, request_id: messageId } : content, messageId);
    expect(reply).toMatchObject({ event_type: 'run.rejected', payload: { problem } });
    expect(reply).not.toHaveProperty('run_id');
    await waitFor(async () => (await client.waiting()) === 0);
  });

  describe('a race that could not be decided', () => {
    const racePack = fakes.add(publish(wordPack(40, { slug: 'raced' })));
    const ungraded = fakes.add(publish(wordPack(2, { slug: 'ungraded' }).replace(', pass_threshold: 1', '')));
    const keys = Array.from({ length: 40 }, (_, at) => `case-${at + 1}`);
    const lanes: Deployment[] = [];
    const baselines: Record<string, string> = { none: newId(), unknown: 'chatty' };

    beforeAll(async () => {
      fakes.execute = (job, bus) => executeAttempt(job, bus);
      for (const name of ['quick', 'slow']) lanes.push(await fixture.scripted(name));
      const ended = async (versionId: string, request: object) => {
        const { id: run_id } = await fixture.createRun(versionId, lanes.slice(0, 1), request);
        await fixture.expectRunStatus(run_id, 'completed');
        const { items } = await fixture.bus.call(runs.agents, { workspace_id, run_id });
        return items[0]?.id ?? '';
      };
      baselines.foreign = await ended(ungraded.version.id, {});
      baselines.strange = await ended(racePack.version.id, { case_keys: keys.slice(0, 2) });
      baselines.short = await ended(racePack.version.id, { case_keys: keys.slice(2) });
    });

    const against = (name: string) => ({ decided: { goal: 'baseline', baseline: baselines[name] } });
    const rest = { case_keys: keys.slice(2) };
    test.each<[string, () => object, string, string, object?]>([
      ['an alpha of 0', () => ({ decided: { alpha: 0 } }), 'decided.alpha', 'must be at least 0.001'],
      ['an alpha of 1', () => ({ decided: { alpha: 1 } }), 'decided.alpha', 'must be at most 0.2'],
      ['a margin of 2', () => ({ decided: { margin: 2 } }), 'decided.margin', 'must be at most 0.5'],
      [
        'an unknown goal',
        () => ({ decided: { goal: 'worst' } }),
        'decided.goal',
        'must be one of ranking, best, baseline',
      ],
      [
        'the goal baseline without one',
        () => ({ decided: { goal: 'baseline' } }),
        'decided.baseline',
        'is required with the goal baseline',
      ],
      ['a baseline that is no id', () => against('unknown'), 'decided.baseline', 'must be an id'],
      [
        'a budget of no attempts',
        () => ({ budget: { attempts: 0 } }),
        'budget.attempts',
        'must be more than 0',
      ],
      ['a budget of no dollars', () => ({ budget: { usd: 0 } }), 'budget.usd', 'must be more than 0'],
      ['a budget of no tokens', () => ({ budget: { tokens: 0 } }), 'budget.tokens', 'must be more than 0'],
      ['an empty budget', () => ({ budget: {} }), 'budget', 'must have usd, tokens, attempts'],
      [
        'one lane to rank',
        () => ({ decided: {} }),
        'decided.goal',
        'add a deployment',
        { deployment_names: ['quick'] },
      ],
      [
        'a metric that is never graded',
        () => ({ decided: {} }),
        'decided.metric',
        'use "overall"',
        { pack: 'ungraded' },
      ],
      ['an unknown baseline', () => against('none'), 'decided.baseline', 'is no agent of a run'],
      [
        'a baseline of another version',
        () => against('foreign'),
        'decided.baseline',
        'another challenge pack version',
      ],
      [
        'a baseline without a common case',
        () => against('strange'),
        'decided.baseline',
        'no case of this run',
        rest,
      ],
      [
        'a baseline of too few cases',
        () => against('short'),
        'decided.baseline',
        'only 20 of the 22 cases',
        { case_keys: keys.slice(0, 22) },
      ],
    ])(
      'a request with %s is rejected before anything runs, in a sentence',
      async (_name, stopWhen, field, words, more = {}) => {
        const { pack: slug = 'raced', ...request } = more as { pack?: string };
        const request_id = newId();
        const reply = await replyTo({
          ...{ request_id, workspace_id, challenge_pack: { slug }, requested_by: 'tests' },
          ...{ deployment_names: ['quick', 'slow'], stop_when: stopWhen(), ...request },
        });
        const { problem } = reply.payload as In<typeof runEvents.rejected>['payload'];
        const [first] = problem.errors ?? [];
        expect(problem).toMatchObject({ code: 'invalid_input', errors: [{ field: `stop_when.${field}` }] });
        expect(first?.message).toContain(words);
        expect(problem.detail).toContain(`: ${first?.field} ${first?.message}.`);
        expect(await runsOf(request_id)).toEqual([]);
      },
    );

    test('a baseline that lacks few cases is raced against', async () => {
      const reply = await replyTo({
        ...{ request_id: newId(), workspace_id, challenge_pack: { slug: 'raced' }, requested_by: 'tests' },
        ...{ deployment_names: ['quick'], stop_when: against('short') },
      });
      expect(reply).toMatchObject({ event_type: 'run.requested' });
    });
  });

  test('a request is read by the id of its run or by its own, and is not found in another workspace', async () => {
    const { version } = pack();
    const { id } = await fixture.scripted('read');
    const request_id = newId();
    const order = { request_id, workspace_id, challenge_pack_version_id: version.id, deployment_ids: [id] };
    const { payload } = await replyTo({ ...order, requested_by: 'reader' });
    const { run_id } = payload as { run_id: string };
    expect(await fixture.bus.call(busApi.get, { workspace_id, request_id })).toMatchObject({ id: run_id });
    expect(await fixture.bus.call(busApi.get, { workspace_id, run_id })).toMatchObject({ id: run_id });
    const { items: agents } = await fixture.bus.call(runs.agents, { workspace_id, run_id });
    expect(await fixture.bus.call(busApi.scorecard, { workspace_id, request_id })).toMatchObject({
      run_id,
      ranking: { run_id, state: 'pending', items: [] },
      agents: agents.map((agent) => ({ run_agent_id: agent.id, state: 'pending' })),
    });
    const other = { workspace_id: newId(), request_id };
    await expect(fixture.bus.call(busApi.scorecard, other)).rejects.toMatchObject({ code: 'not_found' });
    await expect(fixture.bus.call(busApi.get, other)).rejects.toMatchObject({ code: 'not_found' });
    await expect(fixture.bus.call(busApi.get, { workspace_id } as never)).rejects.toMatchObject({
      code: 'invalid_input',
    });
  });

  test('a request is published on the subject of its workspace', () => {
    const envelope = { workspace_id } as Envelope;
    expect(sendSubject(busApi.request, envelope)).toBe(`job.runs.v1.request.${workspace_id}`);
    for (const event of Object.values<BusEvent>(runEvents)) expect(event.tail).toBe('workspace_id');
  });
});
