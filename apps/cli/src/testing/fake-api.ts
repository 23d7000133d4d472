import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { type RecordedEvent, type ResponseInput, type Route } from '@agentclash/api';
import { afterAll, beforeAll } from '@jest/globals';
import { removeFolders } from './command.js';

/** A request as the fake saw it. */
export interface SeenRequest {
  method: string;
  path: string;
  params: Record<string, string>;
  query: URLSearchParams;
  headers: IncomingMessage['headers'];
  body: string;
}

type Responder = (request: SeenRequest, response: ServerResponse) => void;

export interface Problem {
  status: number;
  code: string;
  detail: string;
  [fact: string]: unknown;
}

/** Thrown by a response: the request is refused with this. */
export class FakeProblem extends Error {
  constructor(readonly problem: Problem) {
    super(problem.detail);
  }
}

/** A server whose responses a test defines. They are checked against the routes' own schemas. */
export class FakeApi {
  readonly seen: SeenRequest[] = [];
  private readonly responders: { route: Pick<Route, 'method' | 'path'>; respond: Responder }[] = [];
  private readonly server: Server;

  constructor() {
    this.server = createServer((request, response) => void this.handle(request, response));
  }

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  /** Breaks every connection; new ones are accepted. */
  hangUp(): void {
    this.server.closeAllConnections();
  }

  /** Forgets the defined responses and the requests seen. */
  reset(): void {
    this.responders.length = 0;
    this.seen.length = 0;
  }

  on<R extends Route>(route: R, respond: (request: SeenRequest) => ResponseInput<R>): void {
    this.responders.unshift({
      route,
      respond: (request, response) => {
        const value: unknown = responseOrProblem(response, () => respond(request));
        if (response.writableEnded) return;
        if (typeof route.response !== 'string') route.response.parse(value);
        response.writeHead(route.status, { 'content-type': 'application/json' });
        response.end(value === undefined ? undefined : JSON.stringify(value));
      },
    });
  }

  /** Holds the response of the route back until the returned function is called. */
  hold(route: Route): () => void {
    const earlier = this.responders.find((each) => each.route === route);
    const waiting: (() => void)[] = [];
    const respond: Responder = (request, response) => {
      waiting.push(() => earlier?.respond(request, response));
    };
    this.responders.unshift({ route, respond });
    return () => {
      for (const go of waiting.splice(0)) go();
    };
  }

  /** Responds with a problem document. */
  fail(route: Route, problem: Problem): void {
    this.responders.unshift({ route, respond: (_request, response) => refuse(response, problem) });
  }

  /** Responds with these bytes. */
  bytes(route: Route, content: Uint8Array): void {
    this.responders.unshift({ route, respond: (_request, response) => void response.end(content) });
  }

  /** Events, as one line of JSON each where that is requested, else as a stream that ends. */
  lines(route: Route, events: readonly RecordedEvent[]): void {
    this.stream(route, events);
    const [streamed] = this.responders;
    this.responders.unshift({
      route,
      respond: (request, response) => {
        if (request.query.get('format') !== 'ndjson') return streamed?.respond(request, response);
        response.writeHead(200, { 'content-type': 'application/x-ndjson' });
        response.end(events.map((event) => `${JSON.stringify(event)}\n`).join(''));
      },
    });
  }

  /** Sends the events unchanged, then ends the stream, unless it is to stay open. */
  stream(route: Route, events: readonly RecordedEvent[], { staysOpen = false } = {}): void {
    this.responders.unshift({
      route,
      respond: ({ headers }, response) => {
        const after = Number(headers['last-event-id'] ?? 0);
        const rest = events.filter(({ position }) => position > after);
        if (rest.length === 0 && !staysOpen) {
          response.writeHead(204).end();
          return;
        }
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        for (const event of rest) {
          response.write(
            `id: ${event.position}\nevent: ${event.event_type}\ndata: ${JSON.stringify(event)}\n\n`,
          );
        }
        if (!staysOpen) response.end();
      },
    });
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', this.url);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const method = request.method ?? 'GET';
    for (const { route, respond } of this.responders) {
      const params = route.method === method ? match(route.path, pathname) : undefined;
      if (params === undefined) continue;
      const body = Buffer.concat(chunks).toString('utf8');
      const seen = { method, path: pathname, params, query: searchParams, headers: request.headers, body };
      this.seen.push(seen);
      respond(seen, response);
      return;
    }
    response.writeHead(500, { 'content-type': 'application/problem+json' });
    response.end(
      JSON.stringify({ code: 'internal', detail: `the fake has no ${method} ${pathname}`, status: 500 }),
    );
  }
}

/** A server that runs during the tests of a file, and the environment that leads commands to it. */
export function useFakeApi(): { api: FakeApi; env: Record<string, string> } {
  const api = new FakeApi();
  const env: Record<string, string> = { AGENTCLASH_TOKEN: 'ac_test' };
  beforeAll(async () => {
    await api.start();
    env.AGENTCLASH_API_URL = api.url;
  });
  afterAll(async () => {
    await api.stop();
    removeFolders();
  });
  return { api, env };
}

function refuse(response: ServerResponse, problem: Problem): void {
  response.writeHead(problem.status, { 'content-type': 'application/problem+json' });
  response.end(JSON.stringify({ type: 'about:blank', title: 'A problem', request_id: 'r-1', ...problem }));
}

function responseOrProblem(response: ServerResponse, respond: () => unknown): unknown {
  try {
    return respond();
  } catch (error) {
    if (!(error instanceof FakeProblem)) throw error;
    return refuse(response, error.problem);
  }
}

function match(pattern: string, pathname: string): Record<string, string> | undefined {
  const names = [...pattern.matchAll(/\{(\w+)\}/g)].flatMap(([, name]) => name ?? []);
  const expression = new RegExp(`^${pattern.replace(/\{\w+\}/g, '([^/]+)')}$`);
  const found = expression.exec(pathname);
  if (found === null) return undefined;
  return Object.fromEntries(names.map((name, index) => [name, decodeURIComponent(found[index + 1] ?? '')]));
}
