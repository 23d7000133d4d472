import * as contracts from '@agentclash/contracts';
import { z } from 'zod';
import { jsonSchema } from './json-schema.js';
import { responsesOf } from './openapi-responses.js';
import { PACK_MEDIA_TYPES, type Route, type RouteGroup } from './routes/route.js';
import { routes } from './routes/routes.js';

type Json = Record<string, unknown>;

/** The OpenAPI 3.1 document of the whole API, from the values that serve it. */
export function openApiDocument(version: string): Json {
  const schemas: Json = { ProblemDocument: problemDocument() };
  const paths: Record<string, Json> = {};
  for (const [tag, group] of Object.entries(routes as Record<string, RouteGroup>)) {
    for (const [name, route] of Object.entries(group)) {
      const operation = operationOf(route, { operationId: `${tag}_${name}`, tag, schemas });
      paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operation };
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'AgentClash',
      version,
      description: 'Evaluates AI agents on real tasks, repeatably.',
    },
    security: [{ token: [] }],
    paths,
    components: { schemas, securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
  };
}

interface OperationContext {
  operationId: string;
  tag: string;
  schemas: Json;
}

function operationOf(route: Route, { operationId, tag, schemas }: OperationContext): Json {
  return {
    operationId,
    tags: [tag],
    summary: route.summary,
    'x-access': route.access,
    ...(route.access === 'public' && { security: [] }),
    parameters: [
      ...pathParameters(route, schemas),
      ...queryParameters(route, schemas),
      ...headerParameters(route),
    ],
    ...(route.body !== undefined && {
      requestBody: {
        required: true,
        content:
          typeof route.body === 'string'
            ? RAW_BODIES[route.body]
            : { 'application/json': { schema: jsonSchema(route.body, 'input', schemas) } },
      },
    }),
    responses: responsesOf(route, schemas),
  };
}

const RAW_BODIES = {
  pack: {
    ...Object.fromEntries(
      PACK_MEDIA_TYPES.map((type) => [
        type,
        { schema: type === 'application/json' ? {} : { type: 'string' } },
      ]),
    ),
    'multipart/form-data': {
      schema: {
        type: 'object',
        description:
          'The document and the files beside it: each part but `bundle` is one file, named by the path of its assets, ' +
          'at most 100 MiB. A file that no asset names is refused.',
        properties: { bundle: { type: 'string', contentMediaType: 'application/yaml' } },
        required: ['bundle'],
        additionalProperties: { type: 'string', contentMediaType: 'application/octet-stream' },
      },
    },
  },
  upload: {
    'multipart/form-data': {
      schema: {
        type: 'object',
        properties: { file: { type: 'string', contentMediaType: 'application/octet-stream' } },
        required: ['file'],
      },
    },
  },
} as const satisfies Record<string, Json>;

const PATH_DESCRIPTIONS: Readonly<Record<string, string>> = {
  run_id: 'The id of the run, or its number in the workspace, such as 42',
};

function pathParameters({ path, params = {} }: Route, schemas: Json): Json[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => {
    const schema = params[name];
    const description = PATH_DESCRIPTIONS[name];
    return {
      name,
      in: 'path',
      required: true,
      ...(description !== undefined && { description }),
      schema: schema === undefined ? { type: 'string' } : jsonSchema(schema, 'input', schemas),
    };
  });
}

function queryParameters(route: Route, schemas: Json): Json[] {
  if (route.query === undefined) return [];
  return Object.entries(route.query.shape).map(([name, schema]) => ({
    name,
    in: 'query',
    required: !(schema as z.ZodType).safeParse(undefined).success,
    schema: jsonSchema(schema as z.ZodType, 'input', schemas),
  }));
}

function headerParameters(route: Route): Json[] {
  const header = (name: string) => ({ name, in: 'header', required: false, schema: { type: 'string' } });
  if (route.creates) return [header('Idempotency-Key')];
  return route.response === 'event_stream' ? [header('Last-Event-ID')] : [];
}

function problemDocument(): Json {
  const text = { type: 'string' };
  return {
    type: 'object',
    required: ['type', 'title', 'status', 'code', 'detail', 'request_id'],
    properties: {
      type: text,
      title: text,
      status: { type: 'integer' },
      code: { type: 'string', enum: Object.keys(contracts.ERRORS) },
      detail: text,
      request_id: text,
      errors: {
        type: 'array',
        items: {
          type: 'object',
          required: ['code', 'field', 'message'],
          properties: {
            code: text,
            field: text,
            message: text,
            line: { type: 'integer' },
            column: { type: 'integer' },
            suggestion: text,
          },
        },
      },
    },
  };
}
