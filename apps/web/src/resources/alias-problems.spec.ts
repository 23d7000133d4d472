import { createClient, routes } from '@agentclash/api';
import { expect, test } from '@jest/globals';
import { FakeServer } from '../testing/fake-server.js';
import { page } from '../testing/fixtures.js';
import { aliasProblems } from './alias-problems.js';
import { specDocument } from './form/spec-document.js';

test('a bounded number of aliases is looked up, and none beyond is reported as unknown', async () => {
  const server = new FakeServer();
  const lookups = server.on(routes.modelAliases.list, page([]));
  const client = createClient({ baseUrl: 'http://localhost', fetch: server.fetch });
  const names = Array.from({ length: 50 }, (_, n) => `v${n}`);
  const variants = Object.fromEntries(names.map((name) => [name, { model_alias: `alias-${name}` }]));
  const spec = specDocument(JSON.stringify({ config: {}, variants }));
  expect(spec).toBeDefined();
  const problems = spec && (await aliasProblems(client, spec));
  expect(lookups).toHaveLength(20);
  expect(problems?.map(({ field }) => field)).toEqual(
    names.slice(0, 20).map((name) => `variants.${name}.model_alias`),
  );
  expect(server.violations).toEqual([]);
});
