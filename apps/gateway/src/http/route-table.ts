import { type Route, type RouteGroup, routes } from '@agentclash/api';

interface Served {
  pattern: RegExp;
  route: Route;
}

const TABLE: readonly Served[] = Object.values(routes as Record<string, RouteGroup>)
  .flatMap((group) => Object.values(group))
  .map((route) => ({ pattern: new RegExp(`^${route.path.replace(/\{\w+\}/g, '[^/]+')}$`), route }));

/** The routes of an address, one for each method that it takes. */
export function routesAt(url: string): Route[] {
  const [path = ''] = url.split('?');
  return TABLE.filter(({ pattern }) => pattern.test(path)).map(({ route }) => route);
}
