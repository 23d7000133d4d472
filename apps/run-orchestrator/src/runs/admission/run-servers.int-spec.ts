import type { AttemptPlan } from '@agentclash/attempt-plan';
import { type DeploymentSpec, deployments, modelAliases, providerAccounts } from '@agentclash/contracts';
import { publish, wordPack } from '@agentclash/run-rules/testing/published-pack';
import { newId } from '@agentclash/service-kit';
import { beforeEach, expect, test } from '@jest/globals';
import { claim } from '../../testing/executor.js';
import { openOrchestrator } from '../../testing/orchestrator-fixture.js';

const fixture = await openOrchestrator({ OPERATOR_UNLOCK: '127.0.0.0/8' });
const { fakes, workspaceId: workspace_id } = fixture;
const code = { id: newId(), sha256: 'a'.repeat(64), bytes: 7, name: 'units.py', media_type: null };
fakes.artifacts.set(code.id, { ...code, created_at: new Date().toISOString(), created_by: 'tests' });

const served = (policy: string) =>
  fakes.add(
    publish(
      wordPack(1, {
        slug: `served-${newId()}`,
        version: `${policy}  assets: [{key: code, path: servers/units.py, artifact_id: ${code.id}}]\n`,
        rest: `tools:
  denied: [units__reset]
  mcp_servers:
    - {name: units, command: [python3, /mcp/units/a.py], files: [{artifact_key: code, path: a.py}]}
    - {name: tickets, url: 'https://tickets.example.com/mcp', headers: {Authorization: 'Bearer \${secrets.TICKETS}'}}
`,
      }),
    ),
  ).version.id;
const OPEN = served('  tool_policy: {allow_shell: true}\n  sandbox: {network_access: true}\n');
const CLOSED = served('');

const deploy = (spec: DeploymentSpec) =>
  fixture.bus.call(deployments.create, { workspace_id, actor: 'tests', spec });
const program = (name: string, ...servers: string[]): DeploymentSpec => ({
  name,
  kind: 'program',
  config: { command: ['run'], mcp_servers: servers.map((each) => ({ name: each, command: ['serve'] })) },
});

beforeEach(() => {
  fakes.secrets.add('TICKETS');
  fakes.granted.length = 0;
});

test('Every attempt of a run has the servers of its pack, and those of its own deployment after them', async () => {
  const [scripted, bringing, endpoint] = await Promise.all([
    fixture.scripted('scripted'),
    deploy(program('bringing', 'math')),
    deploy({ name: 'endpoint', kind: 'endpoint', config: { url: 'https://agent.example.com' } }),
  ]);
  const run = await fixture.createRun(OPEN, [scripted, bringing, endpoint]);
  expect(run.warnings).toEqual([]);
  const attempts = await fixture.attempts(run.id);
  const claims = await Promise.all(attempts.map(({ id }) => claim(fixture.bus, id, 'executor')));
  const plans = claims.map((each) => (each.claimed ? (each.plan as object as AttemptPlan) : undefined));
  const serversOf = (kind: string) => plans.find((plan) => plan?.agent.kind === kind)?.tools.mcp_servers;
  const artifact = { artifact_id: code.id, sha256: code.sha256, bytes: code.bytes };
  const ofPack = [
    {
      name: 'units',
      command: ['python3', '/mcp/units/a.py'],
      files: [{ path: 'a.py', artifact }],
    },
    {
      name: 'tickets',
      url: 'https://tickets.example.com/mcp',
      headers: { Authorization: 'Bearer ${secrets.TICKETS}' },
    },
  ];
  expect(serversOf('scripted')).toEqual(ofPack);
  expect(serversOf('program')).toEqual([...ofPack, { name: 'math', command: ['serve'] }]);
  expect(serversOf('endpoint')).toBeUndefined();
  expect(plans.map((plan) => plan?.narrowing.denied_tools)).toEqual(Array(3).fill(['units__reset']));
});

test('The secrets of the servers of a pack are granted to every attempt, and a run needs them', async () => {
  const agent = await fixture.scripted('granted');
  const run = await fixture.createRun(OPEN, [agent]);
  expect(fakes.granted).toEqual([expect.objectContaining({ run_id: run.id, keys: ['TICKETS'] })]);
  fakes.secrets.delete('TICKETS');
  await expect(fixture.createRun(OPEN, [agent])).rejects.toMatchObject({
    code: 'missing_secret',
    details: { keys: ['TICKETS'] },
  });
});

test('A run in which pack and deployment bring servers of one name is refused with both, and nothing is written', async () => {
  const plain = await deploy(program('plain', 'unit'));
  const twice = await deploy(program('twice', 'math', 'units'));
  await expect(fixture.createRun(OPEN, [plain, twice])).rejects.toMatchObject({
    code: 'incompatible_deployment',
    message:
      'The pack and the deployment "twice" both bring an MCP server "units": rename that of the deployment.',
  });
  const varied = await deploy({
    ...program('varied'),
    variants: { bare: {}, docs: { mcp_servers: [{ name: 'tickets', command: ['serve'] }] } },
    baseline: 'bare',
  } as DeploymentSpec);
  await expect(fixture.createRun(OPEN, [varied])).rejects.toMatchObject({
    code: 'incompatible_deployment',
    message: expect.stringContaining('the variant "docs" of the deployment "varied"'),
  });
  expect(await fixture.createRun(OPEN, [varied], { variants: ['bare'] })).toMatchObject({
    id: expect.any(String),
  });
});

test('A run warns of the servers of its pack that the policy does not admit', async () => {
  const [scripted, plain] = [await fixture.scripted('warned'), await deploy(program('warned-program'))];
  const { warnings } = await fixture.createRun(CLOSED, [scripted, plain]);
  const ofServers = warnings.filter((warning) => warning.code === 'mcp_server_not_admitted');
  expect(ofServers.map(({ message }) => message)).toEqual([
    expect.stringContaining('"units" of the pack is not started for "warned": '),
    expect.stringContaining('"tickets" of the pack is not started for "warned" and "warned-program": '),
  ]);
});

test('A run warns of coding agents whose preset has no settings for MCP', async () => {
  const create = { workspace_id, actor: 'tests' };
  const { id } = await fixture.bus.call(providerAccounts.create, {
    ...create,
    spec: { name: 'local', provider_key: 'openai_compatible', base_url: 'http://127.0.0.1:11434/v1' },
  });
  const alias = { name: 'main', provider_account_id: id, model: 'm' };
  await fixture.bus.call(modelAliases.create, { ...create, spec: alias });
  const coder = (name: string, more: object) => {
    const preset = { name, title: name, wires: ['chat'], command: ['run', '{{prompt}}'], ...more };
    return deploy({ name, kind: 'program', config: { preset, models: { main: 'main' } } } as DeploymentSpec);
  };
  const agents = [await coder('without', {}), await coder('with', { mcp: { settings: '{{url}}' } })];
  const { warnings } = await fixture.createRun(OPEN, agents);
  expect(warnings).toEqual([
    {
      code: 'preset_without_mcp',
      message: 'The tools of the pack are not offered to "without": the preset has no settings for MCP.',
    },
    { code: 'price_unknown', message: expect.stringContaining('openai_compatible m is unknown') },
  ]);
});
