import { type DeploymentSpec, deployments, type ToolSpec, tools } from '@agentclash/contracts';
import { newId } from '@agentclash/service-kit';
import { longestBlockMs } from '@agentclash/testkit/event-loop';
import { describe, expect, test } from '@jest/globals';
import { openOrchestrator } from '../../testing/orchestrator-fixture.js';

const fixture = await openOrchestrator();
const { workspaceId: workspace_id } = fixture;
const actor = 'tests';
/** A busy machine takes long to read a schema. */
const REPLY_MS_MAX = 240_000;
const BLOCKED_MS_MAX = 500;
const createTool = (workspace_id: string, spec: ToolSpec) =>
  fixture.bus.call(tools.create, { workspace_id, spec, actor }, REPLY_MS_MAX);

const repeated = (count: number, each: (at: number) => unknown) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`p${at}`, each(at)]));

/** Each of them would be written out in each place that refers to it. */
const references = (count: number) => ({
  type: 'object',
  $defs: { wide: { properties: repeated(500, () => ({ type: 'string' })) } },
  properties: repeated(count, () => ({ $ref: '#/$defs/wide' })),
});
const doubling = {
  type: 'object',
  $defs: {
    a0: { type: 'string' },
    ...Object.fromEntries(
      Array.from({ length: 60 }, (_, at) => [
        `a${at + 1}`,
        { allOf: [{ $ref: `#/$defs/a${at}` }, { $ref: `#/$defs/a${at}` }] },
      ]),
    ),
  },
  properties: { x: { $ref: '#/$defs/a60' } },
};
const patterns = (count: number) => ({
  type: 'object',
  properties: repeated(count, (at) => ({ pattern: `a{${at % 1_000}}b{1,900}` })),
});

const deployment = (name: string, output_schema: unknown): DeploymentSpec => ({
  name,
  kind: 'model',
  config: { model_alias: 'none', output_schema } as Extract<DeploymentSpec, { kind: 'model' }>['config'],
});
const tool = (name: string, parameters: unknown) =>
  ({
    name,
    tool_kind: 'primitive',
    definition: { parameters, implementation: { mode: 'mock', mock: { response: 1 } } },
  }) as ToolSpec;

describe('schemas that take much to read', () => {
  test.each([
    ['1,600 references to 500 properties', references(1_600), null],
    [
      '2^60 subschemas in one place',
      doubling,
      'more than 100000 subschemas once its references are followed',
    ],
    ['patterns with 1.8 million instructions', patterns(2_000), 'more than 100000 RE2 instructions'],
    ['patterns as large as they may be', patterns(104), null],
  ])(
    'a schema with %s does not block the service',
    async (_what, schema, problem) => {
      let made: PromiseSettledResult<unknown>[] = [];
      const attack = async () => {
        const name = `n${newId().replaceAll('-', '').slice(0, 20)}`;
        made = await Promise.allSettled([
          fixture.bus.call(
            deployments.create,
            { workspace_id, spec: deployment(name, schema), actor },
            REPLY_MS_MAX,
          ),
          createTool(workspace_id, tool(name, schema)),
        ]);
      };
      expect(await longestBlockMs(attack)).toBeLessThan(BLOCKED_MS_MAX);
      const [ofDeployment, ofTool] = made.map((each) =>
        each.status === 'rejected' ? String(each.reason.message) : null,
      );
      const expected = problem === null ? null : expect.stringContaining(problem);
      expect(ofTool).toEqual(expected);
      // A deployment with a right schema lacks a model that exists.
      expect(ofDeployment).toEqual(expected ?? 'There is no model alias "none".');
    },
    300_000,
  );

  test('a workspace with many expensive schemas does not delay another', async () => {
    const quick = (name: string, workspace = newId()) =>
      createTool(workspace, tool(name, { type: 'object' }));
    // Two workspaces at once: both threads have started before the order counts.
    await Promise.all([quick('first', workspace_id), quick('second')]);
    const mine = Array.from({ length: 6 }, (_, at) =>
      createTool(workspace_id, tool(`slow${at}`, { ...patterns(100), title: String(at) })),
    );
    const order: string[] = [];
    const recorded = mine.map((each) => each.then(() => order.push('mine')));
    await quick('other').then(() => order.push('other'));
    await Promise.all(recorded);
    expect(order.indexOf('other')).toBeLessThanOrEqual(1);
  }, 300_000);

  test('the problem of a schema names the place within it', async () => {
    const spec = tool('misplaced', { type: 'object', properties: { a: { minLength: -1 } } });
    await expect(createTool(workspace_id, spec)).rejects.toMatchObject({
      code: 'invalid_input',
      details: {
        errors: [
          {
            code: 'invalid_schema',
            field: 'definition.parameters',
            message: 'at /properties/a/minLength: must be an integer of at least 0',
          },
        ],
      },
    });
  });
});
