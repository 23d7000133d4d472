import type { PathParams, QueryOutput, ResponseInput, Route, RouteGroup, Workspace } from '@agentclash/api';
import type { Out, Rpc } from '@agentclash/contracts';
import type { Caller } from './caller.js';
import type { RouteRequest } from './route-request.js';
import type { RouteResponse } from './route-response.js';

type Input<M extends Rpc> = M['input']['_zod']['input'];

/** The forwarding of a route to a message: its request becomes the input, the reply its response. */
export interface Forward<in Request, out Response> {
  message: Rpc;
  inputOf: (request: Request) => object;
  responseOf: (reply: never) => Response;
}

/** The forwarded routes of a group. A route without content ignores the reply. */
export type Forwards<G extends RouteGroup> = {
  readonly [K in keyof G]?: Forward<
    RouteRequest<G[K]>,
    G[K]['response'] extends 'none' ? unknown : RouteResponse | ResponseInput<G[K]>
  >;
};

/** Forwards a route to a message; `responseOf` is for a reply that is not the response itself. */
export function forward<Request, M extends Rpc>(
  message: M,
  inputOf: (request: Request) => Input<M>,
): Forward<Request, Out<M>>;
export function forward<Request, M extends Rpc, Response>(
  message: M,
  inputOf: (request: Request) => Input<M>,
  responseOf: (reply: Out<M>) => Response,
): Forward<Request, Response>;
export function forward(
  message: Rpc,
  inputOf: (request: never) => object,
  responseOf: (reply: never) => unknown = (reply) => reply,
): Forward<never, unknown> {
  return { message, inputOf, responseOf };
}

type Scope<R extends Route> = ('ws' extends keyof PathParams<R> ? { workspace_id: string } : unknown) &
  Omit<PathParams<R>, 'ws'> &
  QueryOutput<R>;
type AnyRequest = { workspace: Workspace | undefined; params: { ws?: string }; query: object };
type FromCaller<R extends Route> = RouteRequest<R> & { caller: Caller };

/** The workspace's id, the other path parameters and the query, each under its name in the API. */
export function scope<R extends Route>(request: RouteRequest<R>): Scope<R>;
export function scope({ workspace, params: { ws: _, ...params }, query }: AnyRequest): object {
  return { ...(workspace && { workspace_id: workspace.id }), ...params, ...query };
}

/** The scope, and the caller's name as the actor. */
export function scopeAndActor<R extends Route>(request: FromCaller<R>): Scope<R> & { actor: string } {
  return { ...scope(request), actor: request.caller.name };
}

/** The scope, the actor, and the body as the spec of a resource. */
export function scopeAndSpec<R extends Route>(
  request: FromCaller<R>,
): Scope<R> & { actor: string; spec: RouteRequest<R>['body'] } {
  return { ...scopeAndActor(request), spec: request.body };
}

/** The scope, the actor, and the body as a request of its own. */
export function scopeAndRequest<R extends Route>(
  request: FromCaller<R>,
): Scope<R> & { actor: string; request: RouteRequest<R>['body'] } {
  return { ...scopeAndActor(request), request: request.body };
}
