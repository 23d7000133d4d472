import { readPack } from '@agentclash/challengepack';
import { expect, test } from '@jest/globals';
import { screen, waitFor } from '@testing-library/react';
import { WORKSPACE } from '../../testing/fixtures.js';
import { button, field, heading, openApp } from '../../testing/open-app.js';

const KEY = `agentclash.pack.${WORKSPACE.id}`;

test('the chosen template opens in the editor with the name and its slug, and is valid', async () => {
  const user = openApp('/packs/check/new');
  await heading('New pack');
  await user.type(field('Name'), 'Sums: of "numbers"');
  await screen.findByText('sums-of-numbers');
  await user.click(screen.getByRole('radio', { name: /^multi_turn/ }));
  await user.click(button('Open in the editor'));
  await waitFor(() => expect(location.pathname).toBe('/packs/check'));
  const { valid, pack } = readPack(sessionStorage.getItem(KEY) ?? '');
  expect(valid).toBe(true);
  expect(pack?.pack).toMatchObject({ name: 'Sums: of "numbers"', slug: 'sums-of-numbers' });
  expect(pack?.version.execution_mode).toBe('multi_turn');
});

test('a text that is not published is named before a template replaces it', async () => {
  sessionStorage.setItem(KEY, 'pack: {}');
  openApp('/packs/check/new');
  await heading('New pack');
  expect(screen.getByRole('link', { name: 'Continue with it' }).getAttribute('href')).toBe('/packs/check');
  expect(sessionStorage.getItem(KEY)).toBe('pack: {}');
});
