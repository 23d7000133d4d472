import { ApiError, routes } from '@agentclash/api';
import { type Attack, count, type Outcomes, repeatedly } from './attack.js';
import { startHostileRun } from './hostile-run.js';

type Schema = Record<string, unknown>;

/** Each reference would be written out in its place. */
function widelyReferenced(references: number): Schema {
  const wide = { properties: repeated(500, () => ({ type: 'string' })) };
  return {
    type: 'object',
    $defs: { wide },
    properties: repeated(references, () => ({ $ref: '#/$defs/wide' })),
  };
}

/** 104 patterns have about as many instructions as a schema may have. */
function largePatterns(count: number): Schema {
  return { type: 'object', properties: repeated(count, (at) => ({ pattern: `a{${at % 1_000}}b{1,900}` })) };
}

/** A value is validated 2^depth times when each reference is followed for itself. */
function doubling(depth: number): Schema {
  const $defs: Schema = { a0: { type: 'string' } };
  for (let at = 1; at <= depth; at += 1) {
    const below = { properties: { x: { $ref: `#/$defs/a${at - 1}` } } };
    $defs[`a${at}`] = { allOf: [below, below] };
  }
  return { type: 'object', $defs, $ref: `#/$defs/a${depth}` };
}

/** The value that `doubling` validates: the text is as deep as the references. */
function nested(depth: number): Schema {
  let value: Schema = { x: 'text' };
  for (let at = 1; at < depth; at += 1) value = { x: value };
  return value;
}

/** RE2 follows 2,000 threads through a text, for each of the patterns. */
function slowPatterns(): Schema {
  const patterns = Array.from({ length: 40 }, (_, at) => ({ pattern: `a[ab]{1000}[ab]{${950 + at}}[cd]` }));
  return { type: 'object', properties: { text: { anyOf: patterns } } };
}

/** Letters `a` and `b` without a period, always the same. */
function letters(count: number): string {
  let state = 123_456_789;
  return Array.from({ length: count }, () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return 'ab'[state & 1];
  }).join('');
}

function repeated(count: number, each: (at: number) => unknown): Schema {
  return Object.fromEntries(Array.from({ length: count }, (_, at) => [`p${at}`, each(at)]));
}

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

const CASES = { short: 2, whole: 8 } as const;
const CALLS = { short: 1, whole: 4 } as const;
const DEPTH = 50;

/** Parameters of a pack's tools that a call validates 2^50 times, or for minutes. */
export const toolParameters: Attack = {
  summary: 'arguments that a tool validates 2^50 times, or for minutes',
  expected: [/^run (completed|cancelled)$/, /^attempt (completed|cancelled)\b/, /^call cancelled$/],
  required: /^call timeout$/,
  start: (site) =>
    startHostileRun(site, {
      slug: 'tool-parameters',
      cases: CASES[site.scale],
      customTools: [mock('doubled', doubling(DEPTH)), mock('slow', slowPatterns())],
      agents: [
        {
          name: 'caller',
          config: {
            steps: [
              { call: { name: 'doubled', arguments: nested(DEPTH) } },
              ...Array.from({ length: CALLS[site.scale] }, (_, at) => ({
                call: { name: 'slow', arguments: { text: letters(30_000 + at) } },
              })),
              { answer: 'done' },
            ],
          },
        },
      ],
    }),
};

function mock(name: string, parameters: object): object {
  return { name, description: 'Probes.', parameters, implementation: { type: 'mock', response: 'probed' } };
}

const LINE_LENGTH = 255_000;
/** RE2 follows up to 20,000 threads through the line, half of them at a time. */
const PATTERN = Array.from({ length: 20 }, (_, at) => `${'ab'[at % 2]}[ab]{${999 - at}}[cd]`).join('|');

/** A pattern that takes RE2 many times the limit of a search, on one long line and a quick machine. */
export const searchPatterns: Attack = {
  summary: 'a search whose pattern takes half a minute for one line',
  expected: [/^run (completed|cancelled)$/, /^attempt (completed|cancelled)\b/, /^call cancelled$/],
  required: /^call timeout$/,
  start: (site) =>
    startHostileRun(site, {
      slug: 'search-patterns',
      cases: CASES[site.scale],
      version: { tool_policy: { allowed_tool_kinds: ['file'] } },
      agents: [
        {
          name: 'searcher',
          config: {
            steps: [
              {
                call: { name: 'write_file', arguments: { path: 'line.txt', content: letters(LINE_LENGTH) } },
              },
              ...Array.from({ length: CALLS[site.scale] }, () => ({
                call: { name: 'search_text', arguments: { pattern: PATTERN, path: 'line.txt' } },
              })),
              { answer: 'done' },
            ],
          },
        },
      ],
    }),
};
