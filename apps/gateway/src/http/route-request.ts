import {
  type BodyOutput,
  PACK_MEDIA_TYPES,
  type PathParams,
  type QueryOutput,
  queryValues,
  type Route,
  type Workspace,
} from '@agentclash/api';
import { nearestName } from '@agentclash/challengepack';
import { ContractError, readFields, Uuid } from '@agentclash/contracts';
import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { Caller } from './caller.js';
import { isEncoded, isJson, isPackType, readJson } from './request-body.js';

type Open = 'public' | 'signed';

/** A request as its route declares it, parsed and validated. */
export interface RouteRequest<R extends Route> {
  params: PathParams<R>;
  query: QueryOutput<R>;
  /** JSON, parsed by its schema; the bytes of a pack; undefined where the handler reads a form. */
  body: R['body'] extends 'pack' ? Buffer | undefined : BodyOutput<R>;
  caller: R['access'] extends Open ? Caller | undefined : Caller;
  workspace: 'ws' extends keyof PathParams<R>
    ? R['access'] extends Open
      ? Workspace | undefined
      : Workspace
    : undefined;
  http: FastifyRequest;
}

/** Parses a request by its route. Fails with `not_found`, `unreadable`, `unsupported_media_type`, `invalid_input`. */
export function readRouteRequest<R extends Route>(route: R, request: FastifyRequest): RouteRequest<R> {
  const { caller, workspace } = request;
  const params = readParams(route, request.params as Record<string, string>);
  const query = readQuery(route, request.query as Record<string, unknown>);
  const body = readBody(route, request);
  return { params, query, body, caller, workspace, http: request } as RouteRequest<R>;
}

/** A malformed id is `not_found`; a malformed name, which the user chose, is `invalid_input` with the rule. */
function readParams(route: Route, params: Record<string, string>): Record<string, string> {
  for (const [name, value] of Object.entries(params)) {
    const isId = !name.endsWith('_id') || Uuid.safeParse(value).success;
    if (!isId || /\p{Cc}/u.test(value)) throw new ContractError('not_found', 'It does not exist.');
    checkParam(route.params?.[name], name, value);
  }
  return params;
}

function checkParam(schema: z.ZodType | undefined, name: string, value: string): void {
  const [issue] = schema?.safeParse(value).error?.issues ?? [];
  if (issue === undefined) return;
  throw new ContractError('invalid_input', `"${value}" ${issue.message}.`, {
    errors: [{ code: issue.code, field: name, message: issue.message }],
  });
}

function readQuery(route: Route, query: Record<string, unknown>): unknown {
  if (route.query === undefined) {
    const [name] = Object.keys(query);
    if (name === undefined) return {};
    throw new ContractError('invalid_input', 'This takes no query.', {
      errors: [{ code: 'unknown_field', field: name, message: 'is not known here' }],
    });
  }
  return parse(route.query, queryValues(route.query, query), 'The query is not valid.');
}

function readBody(route: Route, request: FastifyRequest): unknown {
  const type = request.headers['content-type'];
  if (route.body === undefined) return undefined;
  if (isEncoded(request.headers['content-encoding'])) {
    throw new ContractError('unsupported_media_type', 'Send the body as it is, without a Content-Encoding.');
  }
  if (route.body === 'upload' || (route.body === 'pack' && request.isMultipart())) return undefined;
  const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
  const isTaken = route.body === 'pack' ? isPackType(type) : isJson(type);
  if (!isTaken && (bytes.length > 0 || type !== undefined)) {
    const wanted =
      route.body === 'pack' ? `${PACK_MEDIA_TYPES.join(', ')} or multipart/form-data` : 'application/json';
    throw new ContractError('unsupported_media_type', `Send the body as ${wanted}.`);
  }
  // An empty document is validated by the registry, like any other.
  if (route.body === 'pack') return bytes;
  if (bytes.length === 0) throw new ContractError('unreadable', 'The body is empty.');
  return parse(route.body, readJson(bytes), 'The body is not valid.');
}

function parse(schema: z.ZodType, value: unknown, detail: string): unknown {
  const read = readFields(schema, value, nearestName);
  if (read.errors === undefined) return read.data;
  throw new ContractError('invalid_input', detail, { errors: read.errors });
}
