import 'reflect-metadata';
import type { ResponseInput, Route, RouteGroup } from '@agentclash/api';
import {
  Controller,
  createParamDecorator,
  type ExecutionContext,
  HttpCode,
  RequestMapping,
  RequestMethod,
  SetMetadata,
} from '@nestjs/common';
import { type RouteRequest, readRouteRequest } from './route-request.js';
import type { RouteResponse } from './route-response.js';

/** Under this key a handler's route stands, for guards and interceptors. */
export const ROUTE = 'agentclash.route';

/** The methods that a controller of a route group must have: one per route, typed by it. */
export type Serving<G extends RouteGroup> = {
  [K in keyof G]: (request: RouteRequest<G[K]>) => Reply<G[K]> | Promise<Reply<G[K]>>;
};
type Reply<R extends Route> = RouteResponse | ResponseInput<R>;

const ReadRequest = createParamDecorator((route: Route, context: ExecutionContext) =>
  readRouteRequest(route, context.switchToHttp().getRequest()),
);

/** Marks a class as the controller of a route group: its methods serve the routes of the same name. */
export function ServesRoutes(group: RouteGroup): ClassDecorator {
  return (target) => {
    Controller()(target);
    for (const [name, route] of Object.entries(group)) {
      const descriptor = Object.getOwnPropertyDescriptor(target.prototype, name);
      if (descriptor === undefined)
        throw new TypeError(`${target.name} has no method for ${route.path}: ${name}`);
      const path = route.path.replace(/\{(\w+)\}/g, ':$1');
      RequestMapping({ path, method: RequestMethod[route.method] })(target.prototype, name, descriptor);
      HttpCode(route.status)(target.prototype, name, descriptor);
      SetMetadata(ROUTE, route)(target.prototype, name, descriptor);
      ReadRequest(route)(target.prototype, name, 0);
    }
  };
}
