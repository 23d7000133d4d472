import { describe, expect, test } from '@jest/globals';
import { Validator } from '@seriousme/openapi-schema-validator';
import {
  openApiDocument,
  PACK_MEDIA_TYPES,
  type Route,
  type RouteGroup,
  referencePage,
  routes,
} from './index.js';

const groups: Record<string, RouteGroup> = routes;
const all: Route[] = Object.values(groups).flatMap((group) => Object.values(group));
const document = openApiDocument('1.2.3');

describe('the routes', () => {
  test('are told apart by method and path', () => {
    const keys = all.map(({ method, path }) => `${method} ${path.replace(/\{\w+\}/g, '{}')}`);
    expect(new Set(keys).size).toBe(keys.length);
  });

  test('take no body where the method has none', () => {
    for (const route of all.filter(({ method }) => method === 'GET' || method === 'DELETE')) {
      expect(route).not.toHaveProperty('body');
    }
  });
});

describe('the OpenAPI document', () => {
  test('is valid OpenAPI 3.1', async () => {
    const validator = new Validator();
    const { valid, errors } = await validator.validate(structuredClone(document));
    expect({ valid, errors }).toEqual({ valid: true, errors: undefined });
    expect(validator.version).toBe('3.1');
  });

  test('is a page too, which holds every operation and asks nobody else for anything', () => {
    const page = referencePage(document);
    for (const route of all) expect(page).toContain(`<code>${route.path}</code>`);
    expect(page).not.toMatch(/<script|\bsrc=|https?:\/\/(?!json-schema)|url\(|@import/i);
  });

  const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]*)"/g)].map(
    ([, target]) => target ?? '',
  );

  test('describes every route once', () => {
    const paths = document.paths as Record<string, Record<string, { operationId: string }>>;
    const operations = Object.values(paths).flatMap((path) => Object.values(path));
    expect(operations).toHaveLength(all.length);
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(all.length);
  });

  test('takes a pack as a document or with its files', () => {
    const paths = document.paths as Record<string, { post: { requestBody: { content: object } } }>;
    for (const path of ['', '/validate']) {
      const { content } = paths[`/v1/workspaces/{ws}/challenge-packs${path}`]?.post.requestBody ?? {};
      expect(Object.keys(content ?? {})).toEqual([...PACK_MEDIA_TYPES, 'multipart/form-data']);
    }
  });

  test('refers to nothing that it does not hold', () => {
    const { schemas } = document.components as { schemas: Record<string, unknown> };
    const missing = references.filter(
      (target) => !Object.hasOwn(schemas, target.replace('#/components/schemas/', '')),
    );
    expect(references.length).toBeGreaterThan(20);
    expect(missing).toEqual([]);
  });

  test('keeps the drafts of single schemas out', () => {
    expect(JSON.stringify(document)).not.toMatch(/\$schema|\$defs/);
  });
});
