import { type RunShare, routes } from '@agentclash/api';
import { beforeEach, expect, test } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import { ATTEMPT, serveAttempts } from '../testing/attempt-fixtures.js';
import { problem } from '../testing/fake-server.js';
import { AT, id, page, runOf } from '../testing/fixtures.js';
import { button, field, heading, openApp, server } from '../testing/open-app.js';

const RUN = runOf();
const TOKEN = `acs_${'x'.repeat(43)}`;
const SHARE: RunShare = {
  ...{ id: id(9), run_id: RUN.id, created_at: AT, created_by: 'ada' },
  ...{ expires_at: '2027-01-01T00:00:00.000Z', last_used_at: null },
};

beforeEach(() => {
  server.on(routes.runs.get, RUN);
  server.on(routes.runs.failures, page([]));
  server.on(routes.shares.list, { items: [SHARE] });
});

test('a link is created for the chosen time, shown once, and revoked', async () => {
  const created = server.on(routes.shares.create, { ...SHARE, token: TOKEN, path: `/share#${TOKEN}` });
  const revoked = server.on(routes.shares.revoke, () => new Response(null, { status: 204 }));
  const user = openApp(`/runs/${RUN.id}/failures`);
  await user.click(await screen.findByRole('button', { name: 'Share' }));
  const dialog = within(await screen.findByRole('dialog'));
  await dialog.findByText(/by ada/);
  await user.selectOptions(field('Valid for'), '30 days');
  await user.click(button('Create link'));
  await dialog.findByText(`${location.origin}/share#${TOKEN}`);
  const body = created[0]?.body;
  const expiry = body instanceof Object && 'expires_at' in body ? String(body.expires_at) : '';
  expect((Date.parse(expiry) - Date.now()) / 86_400_000).toBeCloseTo(30, 1);
  await user.click(button(/^Revoke the link/));
  await waitFor(() => expect(revoked.map(({ params }) => params.share_id)).toEqual([SHARE.id]));
});

test('a viewer is offered no links', async () => {
  openApp(`/runs/${RUN.id}/failures`, { role: 'viewer' });
  await screen.findByRole('link', { name: 'Gate' });
  expect(screen.queryByRole('button', { name: 'Share' })).toBeNull();
});

/** The session of a link; returns its requests. */
const serveVisitor = () =>
  server.on(routes.workspaces.whoami, {
    workspace: { id: id(1), slug: 'shared', name: 'Shared run', created_at: AT },
    ...{ role: 'viewer', results_only: true, shared_run_id: RUN.id },
    token: { id: null, name: 'link to a run', expires_at: SHARE.expires_at },
  });

test('a link opens its run without a sign-in, without a menu, and leaves the address at once', async () => {
  const checks = serveVisitor();
  server.on(routes.runs.ranking, () => problem('not_found', 'not part of this test'));
  server.on(routes.runs.agents, () => problem('not_found', 'not part of this test'));
  const user = openApp(`/share#${TOKEN}`, { token: null });
  await heading(/./);
  await user.click(button(/account menu/));
  expect(field('Theme').value).toBe('system');
  expect(screen.queryByRole('button', { name: 'Sign out' })).toBeNull();
  expect(checks[0]?.headers.get('authorization')).toBe(`Bearer ${TOKEN}`);
  expect(location.pathname).toBe(`/runs/${RUN.id}`);
  expect(location.hash).toBe('');
  expect(screen.queryByRole('link', { name: 'Secrets' })).toBeNull();
  expect(screen.queryByRole('link', { name: 'Gate' })).toBeNull();
});

test('an attempt of a shared run is shown without a request for its pack, which a link does not show', async () => {
  serveAttempts(server);
  server.on(routes.runs.get, RUN);
  serveVisitor();
  const manifests = server.on(routes.versions.manifest, () => problem('not_found', 'of no link'));
  openApp(`/attempts/${ATTEMPT}`);
  await screen.findByRole('heading', { name: 'Expected' });
  expect(manifests).toEqual([]);
});

test('a link that is not valid shows one page, and keeps the session of the browser', async () => {
  server.on(routes.workspaces.whoami, () => problem('not_found', 'This link is not valid.'));
  openApp(`/share#${TOKEN}`, { token: 'ac_own' });
  await heading('This link is not valid');
  expect(localStorage.getItem('agentclash.token')).toBe('ac_own');
  expect(sessionStorage.length).toBe(0);
});
