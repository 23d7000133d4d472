import { routes } from '@agentclash/api';
import { expect, test } from '@jest/globals';
import { screen } from '@testing-library/react';
import { id, versionOf, WORKSPACE } from '../../testing/fixtures.js';
import { openApp, server } from '../../testing/open-app.js';

test('the version of a file of results is its document, without what only a server has', async () => {
  server.on(routes.workspaces.whoami, {
    ...{ workspace: WORKSPACE, role: 'viewer', results_only: true },
    token: { id: null, name: 'read only', expires_at: null },
  });
  server.on(routes.versions.get, versionOf(40, 'sums'));
  server.on(routes.versions.manifest, { challenges: [], evaluation_spec: { validators: [] } });
  openApp(`/versions/${id(41)}`);
  await screen.findByRole('heading', { name: 'Challenges' });
  expect(screen.getByRole('heading', { level: 1 }).textContent).toContain('v1');
  expect(screen.queryByRole('heading', { name: 'Input sets' })).toBeNull();
  expect(screen.queryByRole('button', { name: 'Edit as next version' })).toBeNull();
});
