import { type DeploymentSpec, deployments } from '@agentclash/contracts';
import { conversationPack, HUMAN_PHASE, publish } from '@agentclash/run-rules/testing/published-pack';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { claim } from '../../testing/executor.js';
import { openOrchestrator } from '../../testing/orchestrator-fixture.js';

const fixture = await openOrchestrator();
const { fakes, workspaceId: workspace_id } = fixture;
const SCRIPTED = '{id: one, actor: scripted, trigger: always, turns: [{message: Hi.}]}';

async function deploy(spec: DeploymentSpec) {
  return await fixture.bus.call(deployments.create, { workspace_id, spec, actor: 'tests' });
}

describe('the protocol of an agent', () => {
  const talks = fakes.add(publish(conversationPack([SCRIPTED], { slug: 'talks-alone' })));
  const withPerson = fakes.add(publish(conversationPack([HUMAN_PHASE], { slug: 'talks-person' })));
  let acp: Awaited<ReturnType<typeof deploy>>;
  let a2a: Awaited<ReturnType<typeof deploy>>;

  beforeAll(async () => {
    acp = await deploy({ name: 'acp', kind: 'program', config: { command: ['agent'], protocol: 'acp' } });
    const url = 'https://agent.example.com/a2a';
    a2a = await deploy({ name: 'a2a', kind: 'endpoint', config: { url, protocol: 'a2a' } });
  });

  test('The protocol of an agent is part of the plan of its attempts', async () => {
    const run = await fixture.createRun(talks.version.id, [acp, a2a]);
    const attempts = await fixture.attempts(run.id);
    const plans = await Promise.all(attempts.map(({ id }) => claim(fixture.bus, id, 'e')));
    const protocols = plans.map((reply) => (reply.claimed ? Reflect.get(reply.plan, 'agent') : reply));
    expect(protocols).toHaveLength(2);
    expect(protocols).toEqual(
      expect.arrayContaining([
        { kind: 'program', config: { command: ['agent'], protocol: 'acp' } },
        { kind: 'endpoint', config: expect.objectContaining({ protocol: 'a2a' }) },
      ]),
    );
  });

  test('A run of a program of ACP on a pack with a person is refused, and one of A2A is created', async () => {
    await expect(fixture.createRun(withPerson.version.id, [a2a, acp])).rejects.toMatchObject({
      code: 'incompatible_deployment',
      message: expect.stringContaining('The deployment "acp"'),
    });
    expect(await fixture.createRun(withPerson.version.id, [a2a])).toMatchObject({ id: expect.any(String) });
  });
});
