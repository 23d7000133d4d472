import { ERRORS, type ErrorCode, type ResponseOutput, type Route } from '@agentclash/api';
import type { z } from 'zod';

/** A request as the page sent it. */
export interface SentRequest {
  params: Readonly<Record<string, string>>;
  query: Readonly<Record<string, string>>;
  body: unknown;
  headers: Headers;
}

type Reply = Response | Promise<Response>;
type Handler<R extends Route> = (
  request: SentRequest,
) => ResponseOutput<R> | Response | Promise<ResponseOutput<R> | Response>;

interface Served {
  route: Route;
  pattern: RegExp;
  reply: (request: SentRequest) => Reply | Promise<Reply>;
  requests: SentRequest[];
}

/**
 * The server of component tests, at `fetch`. Requests and responses are checked against the schemas of their routes, so
 * that a test cannot agree with the page on something that the API does not have.
 */
export class FakeServer {
  readonly served: Served[] = [];
  /** Requests without a handler, and bodies that the API rejects. A test ends with none of them. */
  readonly violations: string[] = [];
  /** As when no server can be reached. */
  isDown = false;

  /** Serves a route; the latest handler of a route counts. Returns its requests. */
  on<R extends Route>(route: R, handler: Handler<R> | ResponseOutput<R>): readonly SentRequest[] {
    const pattern = new RegExp(`^${route.path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`);
    const requests: SentRequest[] = [];
    const reply = async (request: SentRequest) => {
      const output = typeof handler === 'function' ? await (handler as Handler<R>)(request) : handler;
      return output instanceof Response ? output : this.respond(route, output);
    };
    this.served.unshift({ route, pattern, reply, requests });
    return requests;
  }

  readonly fetch: typeof fetch = async (input, init) => {
    if (this.isDown) throw new TypeError('fetch failed');
    const { pathname, searchParams } = new URL(String(input));
    const method = init?.method ?? 'GET';
    for (const { route, pattern, reply, requests } of this.served) {
      const match = route.method === method ? pattern.exec(pathname) : null;
      if (match === null) continue;
      const params = Object.entries(match.groups ?? {}).map(([name, text]) => [
        name,
        decodeURIComponent(text),
      ]);
      const request: SentRequest = {
        params: Object.fromEntries(params),
        query: Object.fromEntries(searchParams),
        body: typeof init?.body === 'string' && init.body !== '' ? JSON.parse(init.body) : undefined,
        headers: new Headers(init?.headers),
      };
      this.check(route, 'query', route.query, typed(request.query));
      if (typeof route.body === 'object') this.check(route, 'body', route.body, request.body);
      requests.push(request);
      return await reply(request);
    }
    this.violations.push(`${method} ${pathname} has no handler`);
    return problem('not_found', `${pathname} is not served in this test.`);
  };

  private respond(route: Route, output: unknown): Response {
    if (typeof route.response !== 'object') return new Response(null, { status: route.status });
    this.check(route, 'response', route.response, output);
    return Response.json(output, { status: route.status });
  }

  private check(route: Route, part: string, schema: z.ZodType | undefined, value: unknown): void {
    const error = schema?.safeParse(value).error;
    if (error === undefined) return;
    const issues = error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
    this.violations.push(`${part} of ${route.method} ${route.path}: ${issues.join('; ')}`);
  }
}

/** The gateway reads numbers and booleans of a query by their form. */
function typed(query: SentRequest['query']): Record<string, unknown> {
  const read = (text: string) => (/^(?:\d{1,9}|true|false)$/.test(text) ? JSON.parse(text) : text);
  return Object.fromEntries(Object.entries(query).map(([name, text]) => [name, read(text)]));
}

/** A response that is sent when the test calls `release`; `reply` is its handler. */
export function heldBack<Output>(output: Output): { reply: () => Promise<Output>; release: () => void } {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  return { reply: () => held.then(() => output), release };
}

/** An error response of the API. */
export function problem(code: ErrorCode, detail: string, more: object = {}): Response {
  const { http: status, title } = ERRORS[code];
  const body = { type: 'about:blank', title, status, code, detail, request_id: 'req-1', ...more };
  return Response.json(body, { status, headers: { 'content-type': 'application/problem+json' } });
}
