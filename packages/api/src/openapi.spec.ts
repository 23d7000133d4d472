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
  test('each route has a method and path of its own', () => {
    const keys = all.map(({ method, path }) => `${method} ${path.replace(/\{\w+\}/g, '{}')}`);
    expect(new Set(keys).size).toBe(keys.length);
  });

  test('routes whose method has no body declare none', () => {
    const bodiless = all.filter(({ method }) => method === 'GET' || method === 'DELETE');
    expect(bodiless.length).toBeGreaterThan(20);
    for (const route of bodiless) {
      expect(route).not.toHaveProperty('body');
    }
  });
});

describe('the OpenAPI document', () => {
  test('the document is valid OpenAPI 3.1', async () => {
    const validator = new Validator();
    const { valid, errors } = await validator.validate(structuredClone(document));
    expect({ valid, errors }).toEqual({ valid: true, errors: undefined });
    expect(validator.version).toBe('3.1');
  });

  test('the page of the document has every operation and loads nothing from elsewhere', () => {
    const page = referencePage(document);
    expect(all.length).toBeGreaterThan(20);
    for (const route of all) expect(page).toContain(`<code>${route.path}</code>`);
    expect(page).not.toMatch(/<script|\bsrc=|https?:\/\/(?!json-schema)|url\(|@import/i);
  });

  const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]*)"/g)].map(
    ([, target]) => target ?? '',
  );

  test('the document describes every route once', () => {
    const paths = document.paths as Record<string, Record<string, { operationId: string }>>;
    const operations = Object.values(paths).flatMap((path) => Object.values(path));
    expect(operations).toHaveLength(all.length);
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(all.length);
  });

  test('a pack may be sent as a document or with its files', () => {
    const paths = document.paths as Record<string, { post: { requestBody: { content: object } } }>;
    for (const path of ['', '/validate']) {
      const { content } = paths[`/v1/workspaces/{ws}/challenge-packs${path}`]?.post.requestBody ?? {};
      expect(Object.keys(content ?? {})).toEqual([...PACK_MEDIA_TYPES, 'multipart/form-data']);
    }
  });

  test('the document has no dangling references', () => {
    const { schemas } = document.components as { schemas: Record<string, unknown> };
    const missing = references.filter(
      (target) => !Object.hasOwn(schemas, target.replace('#/components/schemas/', '')),
    );
    expect(references.length).toBeGreaterThan(20);
    expect(missing).toEqual([]);
  });

  test('the document declares no dialect of single schemas', () => {
    expect(JSON.stringify(document)).not.toMatch(/\$schema|\$defs/);
  });
});
