import 'reflect-metadata';
import type { ResponseInput, Route, RouteGroup } from '@agentclash/api';
import { Bus } from '@agentclash/bus';
import {
  Controller,
  createParamDecorator,
  type ExecutionContext,
  HttpCode,
  Inject,
  RequestMapping,
  RequestMethod,
  SetMetadata,
  type Type,
} from '@nestjs/common';
import type { Forward, Forwards } from './forward.js';
import { type RouteRequest, readRouteRequest } from './route-request.js';
import type { RouteResponse } from './route-response.js';

/** The metadata key of a handler's route, for guards and interceptors. */
export const ROUTE = 'agentclash.route';
/** The property into which the bus of a controller with forwards is injected. */
const BUS = Symbol('bus');

/** The methods of a route group's controller: one per route that is not forwarded, with its types. */
export type Serving<G extends RouteGroup, F extends Forwards<G> = Record<never, never>> = {
  [K in Exclude<keyof G, keyof F>]: (request: RouteRequest<G[K]>) => Reply<G[K]> | Promise<Reply<G[K]>>;
};
type Reply<R extends Route> = RouteResponse | ResponseInput<R>;

const ReadRequest = createParamDecorator((route: Route, context: ExecutionContext) =>
  readRouteRequest(route, context.switchToHttp().getRequest()),
);

/**
 * Marks a class as the controller of a route group: each route is forwarded as the table declares, or served by the
 * method of the same name.
 */
export function ServesRoutes<G extends RouteGroup>(group: G, forwards: Forwards<G> = {}): ClassDecorator {
  return (target) => {
    Controller()(target);
    if (Object.keys(forwards).length > 0) Inject(Bus)(target.prototype, BUS);
    for (const [name, route] of Object.entries(group)) {
      const method = forwards[name];
      if (method !== undefined) Object.defineProperty(target.prototype, name, forwarding(route, method));
      serve(target, name, route);
    }
  };
}

/** The controller of a route group of which every route is forwarded. */
export function controllerOf<G extends RouteGroup>(group: G, forwards: Required<Forwards<G>>): Type {
  class ForwardingController {}
  ServesRoutes(group, forwards)(ForwardingController);
  return ForwardingController;
}

function forwarding(route: Route, { message, inputOf, responseOf }: Forward<never, unknown>) {
  const value = async function (this: { [BUS]: Bus }, request: never): Promise<unknown> {
    const reply = await this[BUS].call(message, inputOf(request));
    return route.response === 'none' ? undefined : responseOf(reply as never);
  };
  return { value, configurable: true, writable: true };
}

function serve(target: { name: string; prototype: object }, name: string, route: Route): void {
  const descriptor = Object.getOwnPropertyDescriptor(target.prototype, name);
  if (descriptor === undefined)
    throw new TypeError(`${target.name} has no method for ${route.path}: ${name}`);
  const path = route.path.replace(/\{(\w+)\}/g, ':$1');
  RequestMapping({ path, method: RequestMethod[route.method] })(target.prototype, name, descriptor);
  HttpCode(route.status)(target.prototype, name, descriptor);
  SetMetadata(ROUTE, route)(target.prototype, name, descriptor);
  ReadRequest(route)(target.prototype, name, 0);
}
