import { type Route, type RouteGroup, routes } from '@agentclash/api';
import { describe, expect, test } from '@jest/globals';
import { checkPermission } from './access-control.js';

const groups: Record<string, RouteGroup> = routes;
const all: Route[] = Object.values(groups).flatMap((group) => Object.values(group));
const may = (role: Parameters<typeof checkPermission>[1]['role'], route: Route) => {
  try {
    checkPermission(route, { role });
    return true;
  } catch {
    return false;
  }
};

describe('permissions', () => {
  test('a higher role may use every route of the lower ones', () => {
    for (const route of all) {
      if (may('viewer', route)) expect(may('member', route)).toBe(true);
      if (may('member', route)) expect(may('admin', route)).toBe(true);
    }
  });

  test('a viewer may read and validate, and change nothing', () => {
    const changing = all.filter(({ method, access }) => method !== 'GET' && access !== 'public');
    expect(changing.filter((route) => may('viewer', route)).map(({ path }) => path)).toEqual([
      // A viewer may sign a browser in as a viewer, and out.
      routes.sessions.createCode.path,
      routes.sessions.close.path,
      routes.packs.validate.path,
      // A plan starts nothing.
      routes.evalPlans.make.path,
      routes.gates.preview.path,
    ]);
  });

  test("without a token nothing can be changed, except with an issuer's token or a sign-in code", () => {
    const open = all.filter(({ method, access }) => method !== 'GET' && access === 'public');
    expect(open.map(({ path }) => path)).toEqual(['/v1/token-exchange', '/v1/sessions']);
  });

  test('secrets, tokens, accounts, tools and profiles require an admin', () => {
    const { providerAccounts, tools, profiles, secrets, tokens } = routes;
    const writing = [providerAccounts, tools, profiles].flatMap((group): Route[] => [
      ...[group.create, group.update, group.remove],
    ]);
    const owned = Object.values<Route>(tokens).filter(({ access }) => access !== 'public');
    const kept: Route[] = [...Object.values(secrets), ...owned, ...writing];
    expect(kept.filter((route) => may('member', route))).toEqual([]);
    expect(kept.filter((route) => !may('admin', route))).toEqual([]);
  });

  test('a member may manage deployments and model aliases', () => {
    const kept: Route[] = [...Object.values(routes.deployments), ...Object.values(routes.modelAliases)];
    expect(kept.filter((route) => !may('member', route))).toEqual([]);
  });

  test('the operator may manage workspaces and tokens, and no content of workspaces', () => {
    const content = all.filter(({ path }) => path.includes('{ws}') && !path.includes('/tokens'));
    expect(content.filter((route) => may('operator', route))).toEqual([]);
    expect(may('operator', routes.workspaces.create)).toBe(true);
    expect(may('admin', routes.workspaces.create)).toBe(false);
  });
});
