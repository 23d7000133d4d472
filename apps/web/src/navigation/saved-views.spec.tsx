import { routes } from '@agentclash/api';
import { expect, test } from '@jest/globals';
import { screen } from '@testing-library/react';
import { page, runOf, WORKSPACE } from '../testing/fixtures.js';
import { button, field, heading, openApp, server } from '../testing/open-app.js';
import { StoredViews } from './stored-views.js';

test('the filters of a list are saved under a name, opened again by it, and removed', async () => {
  server.on(routes.runs.list, page([runOf({})]));
  const user = openApp('/runs?status=failed&pack=sums');
  await heading('Runs');
  await user.click(button('Save view'));
  await user.type(field('Name of the view'), 'red sums');
  await user.click(button('Save'));
  const link = await screen.findByRole('link', { name: 'red sums' });
  expect(link.getAttribute('aria-current')).toBe('page');
  await user.click(button('Clear filters'));
  expect(location.search).toBe('');
  expect(link.getAttribute('aria-current')).toBeNull();
  await user.click(link);
  expect(location.search).toBe('?status=failed&pack=sums');
  expect(field('Status').value).toBe('failed');
  await user.click(button('Remove view red sums'));
  expect(screen.queryByRole('link', { name: 'red sums' })).toBeNull();
});

test('views belong to a workspace and a list, and a view of the same name is replaced', () => {
  const views = new StoredViews(localStorage, WORKSPACE.id, 'runs');
  views.save({ name: 'b', query: 'status=failed' });
  views.save({ name: 'a', query: 'q=x' });
  expect(views.save({ name: 'b', query: 'q=y' })).toEqual([
    { name: 'a', query: 'q=x' },
    { name: 'b', query: 'q=y' },
  ]);
  expect(new StoredViews(localStorage, WORKSPACE.id, 'packs').all()).toEqual([]);
  expect(new StoredViews(localStorage, 'another', 'runs').all()).toEqual([]);
});

test('no more than thirty views are stored, and what is no list of views counts as none', () => {
  const views = new StoredViews(localStorage, WORKSPACE.id, 'runs');
  for (let number = 1; number <= 31; number += 1) views.save({ name: `view ${number}`, query: 'q=x' });
  expect(views.all().length).toBe(30);
  expect(views.all().some(({ name }) => name === 'view 31')).toBe(false);
  for (const text of ['{', '{}', '[{"name":1}]', 'null']) {
    localStorage.setItem(`agentclash.views.${WORKSPACE.id}.runs`, text);
    expect(views.all()).toEqual([]);
  }
});
