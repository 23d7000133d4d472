import { type Route, type RouteGroup, routes } from '@agentclash/api';
import type { FastifyRequest } from 'fastify';

interface Served {
  pattern: RegExp;
  route: Route;
}

const TABLE: readonly Served[] = Object.values(routes as Record<string, RouteGroup>)
  .flatMap((group) => Object.values(group))
  .map((route) => ({ pattern: new RegExp(`^${route.path.replace(/\{\w+\}/g, '[^/]+')}$`), route }));

/** By method and path as Fastify writes it. */
const BY_PATTERN: ReadonlyMap<string, Route> = new Map(
  TABLE.map(({ route }) => [`${route.method} ${route.path.replace(/\{(\w+)\}/g, ':$1')}`, route]),
);

/** The route of a request; undefined for files of the web app and unknown addresses. */
export function routeOf({ method, routeOptions: { url } }: FastifyRequest): Route | undefined {
  return BY_PATTERN.get(`${method} ${url}`);
}

/** The routes of an address, one for each of its methods. */
export function routesAt(url: string): Route[] {
  const [path = ''] = url.split('?');
  return TABLE.filter(({ pattern }) => pattern.test(path)).map(({ route }) => route);
}
