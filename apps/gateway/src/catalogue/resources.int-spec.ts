import { routes } from '@agentclash/api';
import { ContractError, modelAliases, prices, type Tool, tools } from '@agentclash/contracts';
import { newId } from '@agentclash/service-kit';
import { freshDatabase, freshNats } from '@agentclash/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { GatewayFixture } from '../testing/gateway-fixture.js';

const database = await freshDatabase();
const nats = await freshNats();
const AT = '2026-03-01T12:00:00.000Z';
const definition = { implementation: { mode: 'mock' as const, mock: { response: 1 } } };
const spec = { name: 'read', tool_kind: 'primitive' as const, definition };

describe('resources of a workspace', () => {
  let fixture: GatewayFixture;

  beforeAll(async () => {
    fixture = await GatewayFixture.start({ database: database.url, nats: nats.url });
  });
  afterAll(async () => await fixture.close());

  const send = (path: string, body: unknown, method = 'POST') =>
    fixture.request(`/v1/workspaces/default/${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });

  test("resources are created, listed, replaced and deleted in their workspace, under the caller's name", async () => {
    const id = newId();
    const stored: Tool = { ...spec, lifecycle_status: 'active', id, created_at: AT, updated_at: AT };
    fixture.fakes.on(tools.create, () => stored);
    fixture.fakes.on(tools.list, () => ({ items: [stored], next_cursor: 'c' }));
    fixture.fakes.on(tools.update, () => ({ applied: 'unchanged' as const, tool: stored }));
    fixture.fakes.on(tools.remove, () => ({}));
    const client = fixture.client();
    const workspace_id = (await client.call(routes.workspaces.whoami)).workspace?.id;
    const params = { tool_id: id };

    expect(await client.call(routes.tools.create, { body: spec })).toEqual(stored);
    const request = { workspace_id, actor: 'bootstrap', spec: { ...spec, lifecycle_status: 'active' } };
    expect(fixture.fakes.last(tools.create)).toEqual(request);
    const query = { name: 'read', lifecycle_status: 'active' as const, limit: 1, cursor: 'b' };
    expect(await client.call(routes.tools.list, { query })).toEqual({ items: [stored], next_cursor: 'c' });
    expect(fixture.fakes.last(tools.list)).toEqual({ workspace_id, ...query });
    expect(await client.call(routes.tools.update, { params, body: spec })).toEqual({
      ...stored,
      applied: 'unchanged',
    });
    expect(fixture.fakes.last(tools.update)).toEqual({ ...request, ...params });
    expect(await client.call(routes.tools.remove, { params })).toBeUndefined();
    expect(fixture.fakes.last(tools.remove)).toEqual({ workspace_id, ...params });
  });

  test('prices are read for the workspace, and an unknown provider is refused', async () => {
    const listed = { items: [], lists: [] };
    fixture.fakes.on(prices.list, () => listed);
    const client = fixture.client();
    const query = { provider: 'openai' as const, model: 'gpt-5' };
    expect(await client.call(routes.prices.list, { query })).toEqual(listed);
    expect(fixture.fakes.last(prices.list)).toMatchObject(query);
    const { status } = await fixture.request('/v1/workspaces/default/prices?provider=acme');
    expect(status).toBe(422);
  });

  test.each<[string, string, object, string, string | undefined]>([
    ['an alias', 'model-aliases', { name: 'a', provider_account_id: newId(), modle: 'm' }, 'modle', 'model'],
    ['a tool', 'tools', { ...spec, definition: { step: [] } }, 'definition.step', 'steps'],
    [
      'a deployment of a model',
      'deployments',
      { name: 'a', kind: 'model', config: { model_alas: 'x' } },
      'config.model_alas',
      'model_alias',
    ],
    [
      'an account',
      'provider-accounts',
      { name: 'a', provider_key: 'openai', limits: { max_concurency: 3 } },
      'limits.max_concurency',
      'max_concurrency',
    ],
  ])('%s with a misspelt member gets the nearest name', async (_what, path, body, field, suggestion) => {
    const response = await send(path, body);
    expect(response.status).toBe(422);
    const { errors } = (await response.json()) as { errors: unknown[] };
    expect(errors).toContainEqual(expect.objectContaining({ code: 'unknown_field', field, suggestion }));
  });

  test('a model without account and alias, and an endpoint without url, get the missing field', async () => {
    const model = await send('deployments', { name: 'a', kind: 'model', config: { model: 'm' } });
    expect(await model.json()).toMatchObject({ errors: [{ field: 'config.provider_account_id' }] });
    const endpoint = await send('deployments', { name: 'a', kind: 'endpoint', config: {} });
    expect(await endpoint.json()).toMatchObject({ errors: [{ code: 'required', field: 'config.url' }] });
  });

  test("a service's errors are passed on: conflicts with their references, problems with their fields", async () => {
    fixture.fakes.on(modelAliases.remove, () => {
      throw new ContractError('conflict', 'Deployments use it: llm.', { deployments: ['llm'] });
    });
    const removed = await fixture.request(`/v1/workspaces/default/model-aliases/${newId()}`, {
      method: 'DELETE',
    });
    expect(removed.status).toBe(409);
    expect(await removed.json()).toMatchObject({ detail: 'Deployments use it: llm.', deployments: ['llm'] });
    const errors = [{ code: 'reserved_name', field: 'name', message: 'is the name of a primitive' }];
    fixture.fakes.on(tools.create, () => {
      throw new ContractError('invalid_input', 'The tool is not valid.', { errors });
    });
    const refused = await send('tools', { ...spec, name: 'exec' });
    expect(refused.status).toBe(422);
    expect(await refused.json()).toMatchObject({ code: 'invalid_input', errors });
  });
});
