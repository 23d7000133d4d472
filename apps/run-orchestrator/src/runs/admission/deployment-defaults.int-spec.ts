import { type Deployment, deployments, runs } from '@agentclash/contracts';
import { publish, wordPack } from '@agentclash/run-rules/testing/published-pack';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { openOrchestrator } from '../../testing/orchestrator-fixture.js';

const fixture = await openOrchestrator();
const { fakes, workspaceId: workspace_id } = fixture;

const DEFAULTS = `  deployment_defaults:
    aliases: {strong: careful}
    lineups: {default: [strong, quick], solo: [quick], gone: [strong, retired]}
`;

describe('deployment_defaults of a published pack', () => {
  const pack = fakes.add(publish(wordPack(1, { version: DEFAULTS })));
  const bare = fakes.add(publish(wordPack(1)));
  let careful: Deployment;
  let quick: Deployment;

  beforeAll(async () => {
    careful = await fixture.scripted('careful');
    quick = await fixture.scripted('quick');
    const retired = await fixture.scripted('retired');
    await fixture.bus.call(deployments.archive, { workspace_id, deployment_id: retired.id });
  });

  type Choice = { deployment_ids?: string[]; deployment_names?: string[]; lineup?: string };
  const create = (choice: Choice, { version } = pack) =>
    fixture.bus.call(runs.create, {
      workspace_id,
      actor: 'tests',
      request: { challenge_pack_version_id: version.id, deployment_ids: [], ...choice },
    });
  const lanes = async (choice: Choice) => {
    const { id } = await create(choice);
    const { items } = await fixture.bus.call(runs.agents, { workspace_id, run_id: id });
    return items.map(({ name }) => name);
  };

  test('a run that names no deployment races the default lineup', async () => {
    expect(await lanes({})).toEqual(['careful', 'quick']);
  });

  test('aliases are accepted beside names and ids of deployments', async () => {
    expect(await lanes({ deployment_names: ['strong'] })).toEqual(['careful']);
    expect(await lanes({ deployment_names: [quick.id, 'strong'] })).toEqual(['quick', 'careful']);
    expect(await lanes({ lineup: 'solo' })).toEqual(['quick']);
    expect(await lanes({ deployment_ids: [careful.id] })).toEqual(['careful']);
  });

  test.each<[string, Choice, string, RegExp]>([
    ['a lineup with an archived deployment', { lineup: 'gone' }, 'not_found', /"retired".*lineup "gone"/],
    [
      'a lineup that does not exist',
      { lineup: 'sol' },
      'not_found',
      /no lineup "sol", but default, solo, gone/,
    ],
    ['a name of nothing', { deployment_names: ['strng'] }, 'not_found', /did you mean strong\?/],
    [
      'a deployment twice',
      { deployment_names: ['strong', 'careful'] },
      'invalid_input',
      /as "strong" and as "careful"/,
    ],
    ['two ways at once', { deployment_names: ['quick'], lineup: 'solo' }, 'invalid_input', /./],
  ])('the default %s is refused and named', async (_what, choice, code, message) => {
    await expect(create(choice)).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
  });

  test('without a default lineup a run must name its deployments, and the error lists them', async () => {
    await expect(create({}, bare)).rejects.toMatchObject({
      code: 'deployments_required',
      message: expect.stringMatching(/active deployments: careful, quick/),
    });
  });
});
