import type { BodyInput, PathParams, QueryInput, Route } from './route.js';

type Part<Name extends string, T> = Record<never, never> extends T ? { [K in Name]?: T } : { [K in Name]: T };

/** `ws` may be left out where the client has a workspace. */
type ParamsInput<R extends Route> = Omit<PathParams<R>, 'ws'> &
  ('ws' extends keyof PathParams<R> ? { ws?: string } : Record<never, never>);

/** What one call of a route needs. */
export type CallOptions<R extends Route> = Part<'params', ParamsInput<R>> &
  Part<'query', QueryInput<R>> &
  (undefined extends BodyInput<R> ? { body?: undefined } : { body: BodyInput<R> }) & {
    signal?: AbortSignal;
    /** Makes a creating call safe to repeat for a day. */
    idempotencyKey?: string;
  };

/** The options, or nothing where a route needs none. */
export type CallArguments<R extends Route> =
  Record<never, never> extends CallOptions<R> ? [options?: CallOptions<R>] : [options: CallOptions<R>];

/** The parts of any call, once its types have been checked. */
export interface CallParts {
  params?: Readonly<Record<string, string | undefined>>;
  query?: Readonly<Record<string, unknown>>;
  body?: unknown;
  signal?: AbortSignal;
  idempotencyKey?: string;
}

/** Path and query of a call. Throws `TypeError` for a path parameter that is missing. */
export function targetOf(route: Pick<Route, 'path'>, { params = {}, query = {} }: CallParts): string {
  const path = route.path.replace(/\{(\w+)\}/g, (_all, name: string) => {
    const value = params[name];
    if (value === undefined || value === '') throw new TypeError(`${route.path} needs "${name}"`);
    return encodeURIComponent(value);
  });
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) search.set(name, String(value));
  }
  return search.size === 0 ? path : `${path}?${search}`;
}

export type Payload = NonNullable<RequestInit['body']>;

/** Body and content type of a call. */
export function payloadOf(route: Route, body: unknown): { body?: Payload; contentType?: string } {
  if (route.body === undefined) return {};
  if (route.body === 'pack') return { body: body as Payload, contentType: 'application/yaml' };
  if (route.body === 'upload') {
    const { file, name } = body as { file: Blob; name: string };
    const form = new FormData();
    form.set('file', file, name);
    return { body: form };
  }
  return { body: JSON.stringify(body), contentType: 'application/json' };
}
