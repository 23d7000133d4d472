import { routes } from '@agentclash/api';
import { recordOf } from '@agentclash/domain';
import { beforeEach, expect, test } from '@jest/globals';
import { screen, waitFor } from '@testing-library/react';
import { heldBack, problem, type SentRequest } from '../testing/fake-server.js';
import { id, page, tokenOf } from '../testing/fixtures.js';
import { button, field, openApp, pressTwice, server } from '../testing/open-app.js';

const CREATED = { ...tokenOf(20, 'ci'), token: 'ac_shown-once' };
let created: readonly SentRequest[];

beforeEach(() => {
  server.on(routes.tokens.list, page([tokenOf(10, 'old')]));
  created = server.on(routes.tokens.create, CREATED);
});

async function open() {
  const user = openApp('/tokens');
  await screen.findByRole('rowheader', { name: 'old' });
  return user;
}

test('a token is created with its role, and its value is shown until it is dismissed', async () => {
  const user = await open();
  await user.type(field('Name'), 'ci');
  await user.selectOptions(field('Role'), 'member: also publishes and runs');
  await user.click(button('Create'));
  await screen.findByText('ac_shown-once');
  expect(created[0]?.body).toEqual({ name: 'ci', role: 'member' });
  expect(created[0]?.headers.get('idempotency-key')).toMatch(/^web-[0-9a-f]{32}$/);
  await user.click(button('Done'));
  expect(screen.queryByText('ac_shown-once')).toBeNull();
});

test('days of expiry are sent as a time', async () => {
  const user = await open();
  await user.type(field('Name'), 'ci');
  await user.type(field('Expires after days (optional)'), '2');
  const before = Date.now();
  await user.click(button('Create'));
  await waitFor(() => expect(created).toHaveLength(1));
  const expiresAt = Date.parse(recordOf(created[0]?.body).expires_at as string);
  const twoDays = 2 * 86_400_000;
  expect(expiresAt).toBeGreaterThanOrEqual(before + twoDays);
  expect(expiresAt).toBeLessThan(before + twoDays + 60_000);
});

test.each(['0', '4000'])('an expiry of %s days is not sent', async (days) => {
  const user = await open();
  await user.type(field('Name'), 'ci');
  await user.type(field('Expires after days (optional)'), days);
  await user.click(button('Create'));
  expect(created).toHaveLength(0);
});

test('a token without a name is not sent', async () => {
  const user = await open();
  await user.click(button('Create'));
  expect(created).toHaveLength(0);
});

test('a double press creates one token', async () => {
  const { reply, release } = heldBack(CREATED);
  created = server.on(routes.tokens.create, reply);
  const user = await open();
  await user.type(field('Name'), 'ci');
  pressTwice('Create');
  release();
  await screen.findByText('ac_shown-once');
  expect(created).toHaveLength(1);
});

test('the name of the next token, written while one is created, stays', async () => {
  const { reply, release } = heldBack(CREATED);
  server.on(routes.tokens.create, reply);
  const user = await open();
  await user.type(field('Name'), 'ci');
  await user.click(button('Create'));
  await user.type(field('Name'), '-2');
  release();
  await screen.findByText('ac_shown-once');
  expect(field('Name').value).toBe('ci-2');
});

test('a rejected token shows why, and the form keeps its name', async () => {
  server.on(routes.tokens.create, () => problem('conflict', 'A token with this name exists.'));
  const user = await open();
  await user.type(field('Name'), 'ci');
  await user.click(button('Create'));
  expect((await screen.findByRole('alert')).textContent).toContain('A token with this name exists.');
  expect(field('Name').value).toBe('ci');
});

test('a token is revoked after a confirmation, and the list is read again', async () => {
  const revoked = server.on(routes.tokens.revoke, () => new Response(null, { status: 204 }));
  const user = await open();
  await user.click(button('Revoke old'));
  expect(screen.getByRole('dialog', { name: 'Revoke old?' }).textContent).toContain('rejected immediately');
  server.on(routes.tokens.list, page([]));
  await user.click(button('Revoke'));
  await screen.findByText('No tokens');
  expect(revoked.map(({ params }) => params.token_id)).toEqual([id(10)]);
});

test('a failed revocation stays in the dialog', async () => {
  server.on(routes.tokens.revoke, () => problem('internal', 'The revocation failed.'));
  const user = await open();
  await user.click(button('Revoke old'));
  await user.click(button('Revoke'));
  const dialog = await screen.findByRole('dialog', { name: 'Revoke old?' });
  await waitFor(() => expect(dialog.textContent).toContain('The revocation failed.'));
});

test('the operator creates tokens of another workspace', async () => {
  const user = openApp('/workspaces/blue/tokens', { role: 'operator' });
  await screen.findByRole('rowheader', { name: 'old' });
  await user.type(field('Name'), 'ci');
  await user.click(button('Create'));
  await waitFor(() => expect(created.map(({ params }) => params.ws)).toEqual(['blue']));
});
