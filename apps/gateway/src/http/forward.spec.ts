import { route, routes } from '@agentclash/api';
import { Bus } from '@agentclash/bus';
import { ContractError, type Rpc, tools } from '@agentclash/contracts';
import { describe, expect, test } from '@jest/globals';
import { RequestMethod, type Type } from '@nestjs/common';
import { type Forwards, forward, scope, scopeAndActor, scopeAndSpec } from './forward.js';
import type { RouteRequest } from './route-request.js';
import { controllerOf, ROUTE, ServesRoutes } from './serves-routes.js';

const caller = { name: 'ci' };
const workspace = { id: 'w1', slug: 'default' };
const request = (parts: object) => ({ caller, workspace, params: { ws: 'default' }, query: {}, ...parts });

/** A controller whose bus replies with `reply`, and the calls that it received. */
function served(Controller: Type, reply: object | Error) {
  const calls: unknown[] = [];
  const call = async (message: Rpc, input: unknown) => {
    calls.push([message.subject, input]);
    if (reply instanceof Error) throw reply;
    return reply;
  };
  const controller = new Controller();
  const [{ key } = { key: '' }] = Reflect.getMetadata('self:properties_metadata', Controller) ?? [];
  Object.assign(controller, { [key]: { call } });
  return { controller, calls };
}

describe('a forwarded route', () => {
  const Tools = controllerOf(routes.tools, {
    create: forward(tools.create, scopeAndSpec),
    list: forward(tools.list, scope),
    get: forward(tools.get, scope),
    update: forward(tools.update, scopeAndSpec, ({ tool, applied }) => ({ ...tool, applied })),
    remove: forward(tools.remove, scope),
  });

  test('a forwarded request has the workspace id, the path parameters and the query', async () => {
    const { controller, calls } = served(Tools, { items: [] });
    const query = { limit: 5, name: 'x' };
    expect(await controller.list(request({ query }))).toEqual({ items: [] });
    await controller.get(request({ params: { ws: 'default', tool_id: 't1' } }));
    expect(calls).toEqual([
      [tools.list.subject, { workspace_id: 'w1', limit: 5, name: 'x' }],
      [tools.get.subject, { workspace_id: 'w1', tool_id: 't1' }],
    ]);
  });

  test('a forwarded spec has the name of the caller, and its reply becomes the response', async () => {
    const { controller, calls } = served(Tools, { applied: 'revised', tool: { id: 't1' } });
    const parts = { params: { ws: 'default', tool_id: 't1' }, body: { name: 'x' } };
    expect(await controller.update(request(parts))).toEqual({ id: 't1', applied: 'revised' });
    const input = { workspace_id: 'w1', tool_id: 't1', actor: 'ci', spec: { name: 'x' } };
    expect(calls).toEqual([[tools.update.subject, input]]);
  });

  test('the response of a forwarded route without content is empty', async () => {
    const { controller } = served(Tools, { removed: true });
    expect(await controller.remove(request({}))).toBeUndefined();
  });

  test('the error of a message is passed on', async () => {
    const error = new ContractError('not_found', 'There is no such tool.');
    await expect(served(Tools, error).controller.get(request({}))).rejects.toBe(error);
  });

  test('a forwarded route without a workspace has no workspace id', () => {
    const operator = { ...request({ workspace: undefined, params: { key: 'k1' } }) };
    const typed = operator as unknown as RouteRequest<typeof routes.vaultKeys.retire>;
    expect(scopeAndActor(typed)).toEqual({ key: 'k1', actor: 'ci' });
  });

  test('a forwarded route is registered as a method of a controller would be', () => {
    const handler = Tools.prototype.update;
    expect(Reflect.getMetadata(ROUTE, handler)).toBe(routes.tools.update);
    expect(Reflect.getMetadata('path', handler)).toBe('/v1/workspaces/:ws/tools/:tool_id');
    expect(Reflect.getMetadata('method', handler)).toBe(RequestMethod.PUT);
    expect(Reflect.getMetadata('__httpCode__', handler)).toBe(200);
    expect(Reflect.getMetadata('self:properties_metadata', Tools)).toMatchObject([{ type: Bus }]);
  });

  test('a route that is neither forwarded nor served by a method is an error at start', () => {
    const group = {
      get: route({
        method: 'GET',
        path: '/v1/x',
        access: 'public',
        summary: '',
        response: 'none',
        status: 204,
      }),
    };
    class Incomplete {}
    expect(() => ServesRoutes(group)(Incomplete)).toThrow('Incomplete has no method for /v1/x: get');
  });

  test('the compiler refuses a forward to a message with other input or another reply', () => {
    const forwards: Forwards<typeof routes.tools> = {
      // @ts-expect-error the reply is a page
      get: forward(tools.list, scope),
      // @ts-expect-error the input lacks the spec
      create: forward(tools.create, scope),
    };
    expect(Object.keys(forwards)).toEqual(['get', 'create']);
  });
});
