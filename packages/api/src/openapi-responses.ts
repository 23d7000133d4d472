import { jsonSchema } from './json-schema.js';
import type { Route } from './routes/route.js';

type Json = Record<string, unknown>;

const RAW_RESPONSES = {
  none: {},
  bytes: { content: { 'application/octet-stream': {} } },
  export: {
    content: {
      'application/x-ndjson': {},
      'text/csv': {},
      'application/vnd.apache.parquet': {},
      'application/zip': {},
    },
  },
  page: { content: { 'text/html': {} } },
  event_stream: { content: { 'text/event-stream': {}, 'application/x-ndjson': {} } },
} as const satisfies Record<string, Json>;

/** Statuses of success without content. */
const BARE = new Set(['204']);

interface ErrorResponse {
  description: string | ((route: Route) => string);
  appliesTo: (route: Route) => boolean;
}

/** The errors of a route, by status; others are bugs. */
const ERRORS: Readonly<Record<number, ErrorResponse>> = {
  400: { description: 'The body cannot be read', appliesTo: hasBody },
  401: {
    description: 'There is no valid token, or sign-in code where one is accepted',
    appliesTo: ({ access, path }) => access !== 'public' || isExchange(path) || opensSession(path),
  },
  403: {
    description: 'The role of the token is too low',
    appliesTo: ({ access, path }) => (access !== 'public' && access !== 'any_token') || isExchange(path),
  },
  404: {
    description: 'It does not exist, or not for this token',
    appliesTo: ({ path, access }) => path.includes('{') && access !== 'operator',
  },
  409: {
    description: ({ conflicts }) => conflicts ?? 'The idempotency key was used for another request',
    appliesTo: ({ creates, conflicts }) => creates === true || conflicts !== undefined,
  },
  413: { description: 'The body is too large', appliesTo: hasBody },
  415: { description: 'The body is of another media type', appliesTo: hasBody },
  422: {
    description: 'A value is not valid; `errors` names each',
    appliesTo: ({ response }) => response !== 'page',
  },
  429: {
    description: 'Too many requests; `Retry-After` holds the seconds until a retry',
    appliesTo: isLimited,
  },
  503: {
    description: 'A service is unavailable; try again shortly',
    appliesTo: ({ access, path }) => access !== 'public' || isExchange(path),
  },
};

/** All responses of a route, by status. */
export function responsesOf(route: Route, schemas: Json): Json {
  const content =
    typeof route.response === 'string'
      ? RAW_RESPONSES[route.response]
      : { content: { 'application/json': { schema: jsonSchema(route.response, 'output', schemas) } } };
  const successes = Object.entries({ [route.status]: 'Success', ...route.also });
  const errors = Object.entries(ERRORS).filter(([, { appliesTo: happens }]) => happens(route));
  return Object.fromEntries([
    ...errors.map(([status, { description }]) => [
      status,
      {
        description: typeof description === 'string' ? description : description(route),
        content: PROBLEM,
        headers: headersOf(status),
      },
    ]),
    ...successes.map(([status, description]) => [
      status,
      { description, ...(BARE.has(status) ? {} : content), headers: REQUEST_ID },
    ]),
    ['default', { description: 'An error', content: PROBLEM, headers: REQUEST_ID }],
  ]) as Json;
}

const PROBLEM = {
  'application/problem+json': { schema: { $ref: '#/components/schemas/ProblemDocument' } },
};
const header = (description: string, type: 'string' | 'integer' = 'string') => ({
  description,
  schema: { type },
});
const REQUEST_ID = { 'X-Request-Id': header('The id of the request, as sent or generated') };

function headersOf(status: string): Json {
  const isTemporary = status === '429' || status === '503';
  return { ...REQUEST_ID, ...(isTemporary && { 'Retry-After': header('Seconds', 'integer') }) };
}

function hasBody({ body }: Route): boolean {
  return body !== undefined;
}

function isLimited({ access, method }: Route): boolean {
  return access !== 'public' || method !== 'GET';
}

/** Public, since it takes a token of another kind. */
function isExchange(path: string): boolean {
  return path === '/v1/token-exchange';
}

/** Public, since it takes a sign-in code. */
function opensSession(path: string): boolean {
  return path === '/v1/sessions';
}
