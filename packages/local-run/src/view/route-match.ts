import { ApiError, queryValues, type Route, routes } from '@agentclash/api';

export interface MatchedRoute {
  route: Route;
  params: Record<string, string>;
}

const READS = Object.values(routes)
  .flatMap((group): Route[] => Object.values(group))
  .filter(({ method }) => method === 'GET')
  .map((route) => ({
    route,
    pattern: new RegExp(`^${route.path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`),
  }));

/** The reading route at an address, with the variable parts of the path. */
export function matchedRoute(address: string): MatchedRoute | undefined {
  for (const { route, pattern } of READS) {
    const groups = pattern.exec(address)?.groups;
    if (groups === undefined && !pattern.test(address)) continue;
    const entries = Object.entries(groups ?? {}).map(([name, text]) => [name, decoded(text)] as const);
    return { route, params: Object.fromEntries(entries) };
  }
  return undefined;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new ApiError({ code: 'not_found', detail: 'It does not exist.' });
  }
}

/** The query of a route, as its schema reads it. Fails with `invalid_input`. */
export function matchedQuery({ query: schema }: Route, search: URLSearchParams): Record<string, unknown> {
  if (schema === undefined) return {};
  const { success, data, error } = schema.safeParse(queryValues(schema, Object.fromEntries(search)));
  if (success) return data;
  const [issue] = error.issues;
  const detail = `The query is not valid: ${issue?.path.join('.')} ${issue?.message}.`;
  throw new ApiError({ code: 'invalid_input', detail });
}
