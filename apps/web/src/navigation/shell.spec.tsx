import { routes } from '@agentclash/api';
import { beforeEach, expect, test } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import { problem } from '../testing/fake-server.js';
import { page, RUN, runOf } from '../testing/fixtures.js';
import { button, field, heading, openApp, server } from '../testing/open-app.js';

beforeEach(() => {
  server.on(routes.runs.list, page([]));
  server.on(routes.packs.list, page([]));
  server.on(routes.workspaces.list, page([]));
});

const menu = () =>
  within(screen.getByRole('navigation', { name: 'Main' }))
    .getAllByRole('link')
    .map(({ textContent }) => textContent);

test('g and a letter opens a screen, and other letters after g open nothing', async () => {
  const user = openApp('/runs');
  await heading('Runs');
  await user.keyboard('gx');
  expect(location.pathname).toBe('/runs');
  await user.keyboard('gp');
  await heading('Packs');
  expect(location.pathname).toBe('/packs');
});

test('a slash focuses the search, and a letter typed there is no shortcut', async () => {
  const user = openApp('/runs');
  await heading('Runs');
  await user.keyboard('/');
  expect(document.activeElement === field('Search')).toBe(true);
  await user.keyboard('gp?');
  expect(field('Search').value).toBe('gp?');
  expect(location.pathname).toBe('/runs');
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('a question mark lists the shortcuts, and while they are listed no other one acts', async () => {
  const user = openApp('/runs');
  await heading('Runs');
  await user.keyboard('?');
  const dialog = screen.getByRole('dialog', { name: 'Keyboard shortcuts' });
  expect(dialog.textContent).toContain('gpPacks');
  await user.keyboard('gp');
  expect(location.pathname).toBe('/runs');
  await user.click(button('Close'));
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('no shortcut acts with a modifier key', async () => {
  const user = openApp('/runs');
  await heading('Runs');
  await user.keyboard('{Control>}?{/Control}');
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('a chosen theme applies at once and is stored, and System removes it', async () => {
  const user = openApp('/runs');
  await heading('Runs');
  await user.click(button(/account menu/));
  await user.selectOptions(field('Theme'), 'Dark');
  expect(document.documentElement.dataset.theme).toBe('dark');
  expect(localStorage.getItem('agentclash.theme')).toBe('dark');
  await user.selectOptions(field('Theme'), 'System');
  expect(document.documentElement.dataset.theme).toBeUndefined();
});

test('a stored theme is selected', async () => {
  localStorage.setItem('agentclash.theme', 'light');
  const user = openApp('/runs');
  await heading('Runs');
  await user.click(button(/account menu/));
  expect(field('Theme').value).toBe('light');
});

test('the current screen is marked in the navigation, also below its address', async () => {
  server.on(routes.runs.get, runOf());
  server.on(routes.runs.failures, page([]));
  openApp(`/runs/${RUN}/failures`);
  await heading('nightly');
  const current = screen.getAllByRole('link').filter((link) => link.getAttribute('aria-current') === 'page');
  expect(current.map(({ textContent }) => textContent)).toEqual(['Runs', 'Failures']);
});

test('the operator has the menu of the installation, and starts at its workspaces', async () => {
  openApp('/', { role: 'operator' });
  await heading('Workspaces');
  expect(menu()).toEqual(['Workspaces', 'Vault keys', 'Health']);
});

test('every other role has the menu of the workspace, and starts at its runs', async () => {
  openApp('/');
  await heading('Runs');
  expect(location.pathname).toBe('/runs');
  expect(menu()).toEqual([
    ...['Runs', 'Compare', 'Gates', 'Reviews', 'Packs', 'Deployments', 'Models', 'Tools', 'Profiles'],
    ...['Secrets', 'Tokens', 'Webhooks', 'Health'],
  ]);
});

test('an unknown address has a page of its own with a way out', async () => {
  const user = openApp('/nowhere');
  await heading('Page not found');
  await user.click(within(screen.getByRole('main')).getByRole('link', { name: 'Runs' }));
  await heading('Runs');
  expect(location.pathname).toBe('/runs');
});

test('the title of the document names the screen, and its heading has the focus', async () => {
  const user = openApp('/runs');
  const runs = await heading('Runs');
  expect(document.activeElement === runs).toBe(true);
  expect(document.title).toBe('Runs · AgentClash');
  await user.click(screen.getByRole('link', { name: 'Packs' }));
  const packs = await heading('Packs');
  expect(document.activeElement === packs).toBe(true);
  expect(document.title).toBe('Packs · AgentClash');
});

test('the menu opens and closes by its button, and closes with another address', async () => {
  const user = openApp('/runs');
  await heading('Runs');
  await user.click(button('Menu'));
  expect(button('Menu').getAttribute('aria-expanded')).toBe('true');
  await user.click(screen.getByRole('link', { name: 'Packs' }));
  await heading('Packs');
  expect(button('Menu').getAttribute('aria-expanded')).toBe('false');
});

test('a server that is down is reported on the screen, which recovers by itself', async () => {
  const user = openApp('/runs');
  await heading('Runs');
  server.isDown = true;
  await user.click(screen.getByRole('link', { name: 'Packs' }));
  await screen.findByText(/The server is unavailable; retrying/);
  expect((await screen.findByRole('alert')).textContent).toContain('http://web.test cannot be reached.');
  expect(screen.queryByText('No packs yet')).toBeNull();
  server.isDown = false;
  await screen.findByText('No packs yet');
  await waitFor(() => expect(screen.queryByText(/The server is unavailable/)).toBeNull());
  expect(screen.queryByRole('alert')).toBeNull();
});

test.each([
  ['forbidden', 'a token that has the required role'],
  ['not_found', 'It may have been removed'],
  ['rate_limited', 'Wait a moment'],
  ['internal', 'internal · request req-1'],
] as const)('a failure with the code %s shows its detail and what helps', async (code, advice) => {
  server.on(routes.packs.list, () => problem(code, 'The detail of the server.'));
  openApp('/packs');
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toContain('The detail of the server.');
  expect(alert.textContent).toContain(advice);
});

test('an invalid filter shows the field of the query and its problem', async () => {
  const errors = [{ field: 'query.label', code: 'invalid', message: 'must be key=value' }];
  server.on(routes.runs.list, () => problem('invalid_input', 'The query is not valid.', { errors }));
  openApp('/runs?label=x');
  const alert = await screen.findByRole('alert');
  expect(alert.querySelector('li')?.textContent).toBe('query.label must be key=value');
});

test('a screen that cannot be rendered fails alone, and another one is shown', async () => {
  // A response that the API never sends: rendering it throws.
  server.on(routes.packs.list, () => Response.json({ items: [null], next_cursor: null }));
  const user = openApp('/packs');
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toContain('The page failed.');
  expect(alert.textContent).toContain('This is an error of the page');
  expect(server.violations.some((text) => text.includes('console.error'))).toBe(true);
  server.violations.length = 0;
  await user.click(screen.getByRole('link', { name: 'Runs' }));
  await heading('Runs');
  expect(screen.queryByRole('alert')).toBeNull();
});

test('the account menu shows who is signed in, and closes by Escape or a press elsewhere', async () => {
  const user = openApp('/runs');
  await heading('Runs');
  const menuButton = button(/account menu/);
  expect(menuButton.textContent).toContain('laptop · admin');
  expect(screen.queryByRole('button', { name: 'Sign out' })).toBeNull();
  await user.click(menuButton);
  expect(button('Sign out')).toBeTruthy();
  await user.keyboard('{Escape}');
  expect(screen.queryByRole('button', { name: 'Sign out' })).toBeNull();
  expect(document.activeElement === menuButton).toBe(true);
  await user.click(menuButton);
  await user.click(screen.getByRole('heading', { level: 1 }));
  expect(menuButton.getAttribute('aria-expanded')).toBe('false');
});
