import type { Whoami } from '@agentclash/api';
import { describe, expect, test } from '@jest/globals';
import { inWorkspace } from './session.js';

const workspace = (id: string) => ({ id, slug: id, name: id, created_at: '2026-01-01T00:00:00Z' });
const memberships: Whoami['memberships'] = [
  { workspace: workspace('a'), role: 'admin' },
  { workspace: workspace('b'), role: 'viewer' },
];
const alice: Whoami = {
  workspace: workspace('a'),
  role: 'admin',
  memberships,
  token: { id: null, name: 'alice', expires_at: null },
};

describe('a person with several workspaces', () => {
  test.each([
    ['b', 'b', 'viewer'],
    ['a', 'a', 'admin'],
    ['c', 'a', 'admin'],
    [null, 'a', 'admin'],
  ])('a person with several workspaces who chose %s is in %s, as %s', (chosen, id, role) => {
    expect(inWorkspace(alice, chosen)).toEqual({ ...alice, workspace: workspace(id), role });
  });

  test('a token of one workspace is bound to that workspace', () => {
    const { memberships: _, ...token } = alice;
    expect(inWorkspace(token, 'b')).toEqual(token);
  });
});
