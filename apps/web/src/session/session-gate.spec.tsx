import { routes } from '@agentclash/api';
import { beforeEach, expect, test } from '@jest/globals';
import { act, screen, waitFor } from '@testing-library/react';
import { problem } from '../testing/fake-server.js';
import { AT, id, page, WORKSPACE } from '../testing/fixtures.js';
import { button, enabledButton, field, heading, openApp, server } from '../testing/open-app.js';

const KEY = 'agentclash.token';
const SESSION = { token: 'ac_session', expires_at: AT, workspace: 'default', role: 'admin' as const };
const REFUSED = () => problem('unauthenticated', 'The token is unknown or has expired.');

beforeEach(() => {
  server.on(routes.runs.list, page([]));
  server.on(routes.tokens.list, page([]));
  server.on(routes.sessions.createCode, { code: 'c1', expires_at: AT });
  server.on(routes.sessions.open, SESSION);
  server.on(routes.sessions.close, () => new Response(null, { status: 204 }));
});

test('a typed token becomes a session of this browser, and the token itself is not stored', async () => {
  const codes = server.on(routes.sessions.createCode, { code: 'c1', expires_at: AT });
  const user = openApp('/runs', { token: null });
  await heading('Sign in');
  expect(button('Sign in').disabled).toBe(true);
  await user.type(field('Token'), ' ac_typed ');
  await user.click(button('Sign in'));
  await heading('Runs');
  expect(codes[0]?.body).toEqual({ session_hours: 12 });
  expect(codes[0]?.headers.get('authorization')).toBe('Bearer ac_typed');
  expect(localStorage.getItem(KEY)).toBe('ac_session');
});

test('a session can be kept for 30 days', async () => {
  const codes = server.on(routes.sessions.createCode, { code: 'c1', expires_at: AT });
  const user = openApp('/runs', { token: null });
  await user.type(await screen.findByLabelText('Token'), 'ac_typed');
  await user.click(field(/^Keep me signed in/));
  await user.click(button('Sign in'));
  await heading('Runs');
  expect(codes[0]?.body).toEqual({ session_hours: 720 });
});

test('the token of the operator is stored for this tab alone', async () => {
  server.on(routes.workspaces.list, page([WORKSPACE]));
  const user = openApp('/', { token: null, role: 'operator' });
  await user.type(await screen.findByLabelText('Token'), 'ac_operator');
  await user.click(button('Sign in'));
  await heading('Workspaces');
  expect(sessionStorage.getItem(KEY)).toBe('ac_operator');
  expect(localStorage.getItem(KEY)).toBeNull();
});

test('a rejected token is a problem of its field, and can be corrected', async () => {
  server.on(routes.workspaces.whoami, REFUSED);
  const user = openApp('/runs', { token: null });
  await user.type(await screen.findByLabelText('Token'), 'ac_wrong');
  await user.click(button('Sign in'));
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toBe('Invalid token: it is unknown or has expired.');
  expect(field('Token').getAttribute('aria-invalid')).toBe('true');
  expect((await enabledButton('Sign in')).disabled).toBe(false);
});

test('a token with characters that no header can have is not sent', async () => {
  const user = openApp('/runs', { token: null });
  await user.type(await screen.findByLabelText('Token'), 'ac_ü');
  await user.click(button('Sign in'));
  expect((await screen.findByRole('alert')).textContent).not.toContain('Invalid token');
});

test('a stored token that has expired leads to the sign-in page with the reason', async () => {
  server.on(routes.workspaces.whoami, REFUSED);
  openApp('/runs');
  await heading('Sign in');
  expect(screen.getByRole('status').textContent).toBe(
    'Your token is no longer valid. Sign in with another one.',
  );
  expect(localStorage.getItem(KEY)).toBeNull();
});

test('a token that is revoked in the middle ends the session at the next request', async () => {
  const user = openApp('/runs');
  await heading('Runs');
  server.on(routes.tokens.list, REFUSED);
  await user.click(screen.getByRole('link', { name: 'Tokens' }));
  await heading('Sign in');
  expect(localStorage.getItem(KEY)).toBeNull();
});

test('a sign-out ends the session on the server too and clears all data of the tab', async () => {
  const closed = server.on(routes.sessions.close, () => new Response(null, { status: 204 }));
  const user = openApp('/runs');
  await heading('Runs');
  sessionStorage.setItem('agentclash.pack.1', 'unsaved');
  await user.click(button(/account menu/));
  await user.click(button('Sign out'));
  await heading('Sign in');
  await waitFor(() => expect(closed).toHaveLength(1));
  expect([localStorage.length, sessionStorage.length]).toEqual([0, 0]);
});

test('a sign-out in another tab applies to this one', async () => {
  openApp('/runs');
  await heading('Runs');
  const change = { key: KEY, newValue: null, storageArea: localStorage };
  act(() => void dispatchEvent(new StorageEvent('storage', change)));
  await heading('Sign in');
  expect(screen.queryByRole('navigation')).toBeNull();
});

test('a server that is down shows no sign-in page, and the session continues once it is back', async () => {
  server.isDown = true;
  const user = openApp('/runs');
  expect((await screen.findByRole('alert')).textContent).toContain('The server is unavailable');
  expect(localStorage.getItem(KEY)).not.toBeNull();
  server.isDown = false;
  await user.click(button('Try again'));
  await heading('Runs');
});

test('a link with a code needs a confirmation, signs in once, and leaves no trace in the address', async () => {
  const opened = server.on(routes.sessions.open, SESSION);
  const user = openApp('/runs#code=abc-1', { token: null });
  await heading('Sign in with this link?');
  expect(location.hash).toBe('');
  expect(opened).toHaveLength(0);
  await user.click(button('Sign in'));
  await heading('Runs');
  expect(opened.map(({ body }) => body)).toEqual([{ code: 'abc-1' }]);
});

test('a code that was used already shows why', async () => {
  server.on(routes.sessions.open, () => problem('unauthenticated', 'The code was used already.'));
  const user = openApp('/runs#code=abc-2', { token: null });
  await heading('Sign in with this link?');
  await user.click(button('Sign in'));
  await heading('Sign in');
  expect(screen.getByRole('status').textContent).toBe('The code was used already.');
});

test('a token in the address only fills in the form', async () => {
  openApp('/runs#token=ac_from-a-link', { token: null });
  await heading('Sign in');
  expect(field('Token').value).toBe('ac_from-a-link');
  expect(location.hash).toBe('');
});

test('another workspace starts at its first screen, with its own role and its own requests', async () => {
  const blue = { ...WORKSPACE, id: id(2), slug: 'blue', name: 'Blue' };
  server.on(routes.workspaces.whoami, {
    ...{ workspace: WORKSPACE, role: 'admin', token: { id: null, name: 'alice', expires_at: null } },
    memberships: [
      { workspace: WORKSPACE, role: 'admin' },
      { workspace: blue, role: 'viewer' },
    ],
  });
  const requests = server.on(routes.runs.list, page([]));
  const user = openApp('/tokens');
  await heading('Tokens');
  await user.click(button(/account menu/));
  await user.selectOptions(field('Workspace'), 'Blue');
  await heading('Runs');
  await screen.findByText('alice · viewer');
  expect(requests.map(({ params }) => params.ws)).toContain(id(2));
});
