import { ApiError, routes } from '@agentclash/api';
import { type Attack, count, type Outcomes, repeatedly } from './attack.js';
import { doubling, largePatterns, widelyReferenced } from './hostile-schemas.js';

const AT_ONCE = { short: 4, whole: 8 } as const;
/** The first two are accepted. */
const SCHEMAS = [widelyReferenced(1_600), largePatterns(104), largePatterns(2_000), doubling(60)];

/** Schemas of deployments and tools that take much to read, each other than the one before, so that none is remembered. */
export const outputSchemas: Attack = {
  summary: 'schemas of deployments and tools that take much to read',
  // A deployment whose schema is accepted names a model that does not exist.
  expected: [/^http 201$/, /^http 404 not_found$/, /^http 503 unavailable$/],
  required: /^http 422 invalid_input$/,
  start: async ({ client, scale }) => {
    const outcomes: Outcomes = {};
    let sent = 0;
    const end = repeatedly(AT_ONCE[scale], async () => {
      sent += 1;
      const schema = { ...SCHEMAS[sent % SCHEMAS.length], title: `n${sent}` };
      const request =
        sent % 8 < 4
          ? client.call(routes.deployments.create, { body: deployment(`schema-${sent}`, schema) as never })
          : client.call(routes.tools.create, { body: tool(`schema-${sent}`, schema) as never });
      await request.then(
        () => count(outcomes, 'http 201'),
        (error: unknown) => count(outcomes, problemOf(error)),
      );
    });
    return { end: async () => ({ ...(await end()), ...outcomes }) };
  },
};

function problemOf(error: unknown): string {
  if (!(error instanceof ApiError)) throw error;
  return `http ${error.status} ${error.code}`;
}

function deployment(name: string, output_schema: object): object {
  return { name, kind: 'model', config: { model_alias: 'none', output_schema } };
}

function tool(name: string, parameters: object): object {
  const implementation = { mode: 'mock', mock: { response: 1 } };
  return { name, tool_kind: 'primitive', definition: { parameters, implementation } };
}
