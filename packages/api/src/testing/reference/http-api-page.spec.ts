import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import type { RouteGroup } from '../../routes/route.js';
import { routes } from '../../routes/routes.js';
import { HTTP_API_PAGE, httpApiPage } from './http-api-page.js';

test('docs/reference/http-api.md is the output of `pnpm reference` for the routes', () => {
  expect(readFileSync(HTTP_API_PAGE, 'utf8')).toBe(httpApiPage());
});

test('the page has every route with its summary', () => {
  const page = httpApiPage();
  const all = Object.values(routes as Record<string, RouteGroup>).flatMap((group) => Object.values(group));
  expect(all.length).toBeGreaterThan(80);
  const absent = all.filter(
    ({ method, path, summary }) => !page.includes(`### \`${method} ${path}\`\n\n${summary}.`),
  );
  expect(absent).toEqual([]);
});
