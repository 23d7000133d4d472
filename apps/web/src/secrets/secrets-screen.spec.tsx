import { routes, type SecretMetadata } from '@agentclash/api';
import { beforeEach, expect, test } from '@jest/globals';
import { screen, waitFor } from '@testing-library/react';
import { heldBack, problem, type SentRequest } from '../testing/fake-server.js';
import { AT, page } from '../testing/fixtures.js';
import { button, field, openApp, pressTwice, server } from '../testing/open-app.js';

const VALUE = 'a value of a test';

function secretOf(key: string, more: Partial<SecretMetadata> = {}): SecretMetadata {
  return {
    ...{ key, hosts: ['api.example.com'], binding: 'origin', version: 1, created_at: AT, updated_at: AT },
    ...{ created_by: 'laptop', updated_by: 'laptop', last_used_at: null },
    ...more,
  };
}

let set: readonly SentRequest[];

beforeEach(() => {
  server.on(routes.secrets.list, { items: [secretOf('OLD')] });
  server.on(routes.secrets.audit, page([]));
  set = server.on(routes.secrets.set, () => new Response(null, { status: 204 }));
});

async function open() {
  const user = openApp('/secrets');
  await screen.findByRole('rowheader', { name: 'OLD' });
  return user;
}

async function fill(user: Awaited<ReturnType<typeof open>>, key: string, hosts?: string) {
  await user.type(field('Key'), key);
  await user.type(field('Value'), VALUE);
  if (hosts !== undefined) await user.type(field('Allowed hosts'), hosts);
}

test('a secret is set with its hosts, and its value leaves the page at once', async () => {
  const user = await open();
  await fill(user, 'NEW', 'api.example.com,  http://127.0.0.1:8080');
  await user.click(button('Set'));
  await screen.findByText('is set.', { exact: false });
  expect(set.map(({ params, body }) => [params.key, body])).toEqual([
    ['NEW', { value: VALUE, hosts: ['api.example.com', 'http://127.0.0.1:8080'] }],
  ]);
  expect(field('Value').value).toBe('');
  expect(field('Value').type).toBe('password');
  expect(document.body.innerHTML).not.toContain(VALUE);
});

test('without hosts nothing is sent, unless any host is allowed', async () => {
  const user = await open();
  await fill(user, 'NEW');
  await user.click(button('Set'));
  expect(set).toHaveLength(0);
  await user.click(field(/^Allow any host/));
  expect(field('Allowed hosts').disabled).toBe(true);
  await user.click(button('Set'));
  await waitFor(() => expect(set[0]?.body).toEqual({ value: VALUE, any: true }));
});

test.each(['1KEY', 'a-b', 'a b'])('the key %j is not sent', async (key) => {
  const user = await open();
  await fill(user, key, 'a.test');
  await user.click(button('Set'));
  expect(set).toHaveLength(0);
});

test('a rejected secret shows the problem of its field, and its value is cleared', async () => {
  const errors = [{ field: 'hosts.0', code: 'invalid', message: 'is not an origin' }];
  server.on(routes.secrets.set, () => problem('invalid_input', 'The request is not valid.', { errors }));
  const user = await open();
  await fill(user, 'NEW', 'a.test');
  await user.click(button('Set'));
  const alert = await screen.findByRole('alert');
  expect(alert.querySelector('li')?.textContent).toBe('hosts.0 is not an origin');
  expect(alert.closest('form')).not.toBeNull();
  expect(field('Value').value).toBe('');
  expect(field('Key').value).toBe('NEW');
});

test('a double press sets a secret once', async () => {
  const { reply, release } = heldBack(new Response(null, { status: 204 }));
  set = server.on(routes.secrets.set, reply);
  const user = await open();
  await fill(user, 'NEW', 'a.test');
  pressTwice('Set');
  release();
  await screen.findByText('is set.', { exact: false });
  expect(set).toHaveLength(1);
});

test('what is written of the next secret while one is sent stays, and the notice has the key that was sent', async () => {
  const { reply, release } = heldBack(new Response(null, { status: 204 }));
  set = server.on(routes.secrets.set, reply);
  const user = await open();
  await fill(user, 'NEW', 'a.test');
  await user.click(button('Set'));
  await user.clear(field('Key'));
  await user.clear(field('Allowed hosts'));
  await fill(user, 'NEXT', 'b.test');
  release();
  const notice = await screen.findByText('is set.', { exact: false });
  expect(notice.textContent).toBe('NEW is set.');
  expect([field('Key').value, field('Value').value, field('Allowed hosts').value]).toEqual([
    ...['NEXT', VALUE, 'b.test'],
  ]);
});

test('a secret is replaced with the hosts that it has', async () => {
  const user = await open();
  await user.click(button('Replace OLD'));
  expect(field('Key').value).toBe('OLD');
  expect(field('Allowed hosts').value).toBe('api.example.com');
  expect(screen.getByText(/^Replaces the value/).textContent).toContain('Allowed hosts: api.example.com.');
  await user.type(field('Value'), VALUE);
  await user.click(button('Set'));
  await waitFor(() => expect(set[0]?.body).toEqual({ value: VALUE, hosts: ['api.example.com'] }));
});

test('an unbound secret is marked in the list', async () => {
  server.on(routes.secrets.list, { items: [secretOf('OLD', { hosts: [], binding: 'unbound' })] });
  await open();
  expect(screen.getByRole('row', { name: /OLD/ }).textContent).toContain('any host check It is unbound');
});

test('a secret is deleted after a confirmation only', async () => {
  const removed = server.on(routes.secrets.remove, () => new Response(null, { status: 204 }));
  const user = await open();
  await user.click(button('Delete OLD'));
  await user.click(button('Cancel'));
  expect(removed).toHaveLength(0);
  await user.click(button('Delete OLD'));
  server.on(routes.secrets.list, { items: [] });
  await user.click(button('Delete'));
  await screen.findByText('No secrets yet');
  expect(removed.map(({ params }) => params.key)).toEqual(['OLD']);
});

test('a member sees no secrets, nor requests them', async () => {
  const requests = server.on(routes.secrets.list, { items: [] });
  openApp('/secrets', { role: 'member' });
  await screen.findByText('Only an admin may see and set secrets.');
  expect(requests).toHaveLength(0);
});
