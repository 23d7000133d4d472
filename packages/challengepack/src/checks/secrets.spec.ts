import { vectorSuite } from '@agentclash/testkit';
import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../json.js';
import { findingsIn, set } from '../testing/example-pack.js';

interface Link {
  delegate: string;
  properties: string[];
  args: JsonObject;
}

interface Vector {
  id: string;
  place: string;
  chain?: Link[];
  env_vars?: Record<string, string>;
  expect: { ok?: boolean; error?: string; path?: string; key?: string };
}

const TOOL_ARGS = 'tools.custom[0].implementation.args';

/** A chain of tools, the first of them first; the last delegate is a primitive or a mock. */
function toolOf({ delegate, properties, args }: Link, index: number): JsonObject {
  const parameters = { properties: Object.fromEntries(properties.map((name) => [name, {}])) };
  const name = index === 0 ? 'first' : `link_${index}`;
  if (delegate === 'mock') return { name, implementation: { type: 'mock', template: args } };
  const isPrimitive = ['http_request', 'exec', 'write_file'].includes(delegate);
  return {
    name,
    parameters,
    implementation: { primitive: isPrimitive ? delegate : `link_${index + 1}`, args },
  };
}

function quoted(pointer: string): string {
  return pointer
    .split('/')
    .slice(1)
    .map((step) => (/^\d+$/.test(step) ? `[${step}]` : `["${step}"]`))
    .join('');
}

vectorSuite<Vector>(
  'execution-secrets.yaml',
  ({ place, chain = [], env_vars = {}, expect: wanted }) => {
    const isTool = place === 'tool_args';
    const found = findingsIn([
      set('version.tool_policy', { allow_shell: true }),
      set('version.sandbox', { network_access: true, ...(!isTool && { env_vars }) }),
      ...(isTool ? [set('tools', { custom: chain.map(toolOf) })] : []),
    ]);
    if (wanted.ok) expect(found).toEqual([]);
    else expect(found.map((finding) => finding.split(' ').at(-1))).toEqual([wanted.error]);
    const isMock = chain[0]?.delegate === 'mock';
    const base = isMock ? 'tools.custom[0].implementation.template' : TOOL_ARGS;
    if (wanted.path) expect(found).toEqual([`${base}${quoted(wanted.path)} ${wanted.error}`]);
    if (wanted.key) expect(found).toEqual([`version.sandbox.env_vars["${wanted.key}"] ${wanted.error}`]);
  },
  {
    select: (document) =>
      (document.vectors as Vector[]).filter(({ place }) => place === 'tool_args' || place === 'env_vars'),
  },
);

const OPEN_NETWORK = set('version.sandbox', { network_access: true });
const URL = 'https://api.example.com/x';

function inTools(...custom: JsonObject[]): string[] {
  return findingsIn([OPEN_NETWORK, set('tools', { custom })]);
}

describe('secrets in tools', () => {
  test('every tool of a chain that a secret travels may not write its response to a file', () => {
    const first = {
      name: 'a',
      implementation: { primitive: 'b', args: { t: '${secrets.K}', output_path: 'x' } },
    };
    const last = {
      name: 'b',
      parameters: { properties: { t: {} } },
      implementation: {
        primitive: 'http_request',
        args: { url: URL, headers: { A: '${t}' }, output_path: null },
      },
    };
    expect(inTools(first, last)).toEqual([
      'tools.custom[0].implementation.args["output_path"] secret_with_output_path',
      'tools.custom[1].implementation.args["output_path"] secret_with_output_path',
    ]);
  });

  test('a chain without an end is not searched for secrets', () => {
    const args = { t: '${secrets.K} workspace-secret://K' };
    expect(inTools({ name: 'a', implementation: { primitive: 'nowhere', args } })).toEqual([
      'tools.custom[0].implementation.primitive unknown_reference',
    ]);
  });

  test('a mock holds no secret in any of its answers, in any encoding', () => {
    const implementation = {
      type: 'mock',
      lookup_key: 'id',
      responses: { a: ['${query:secrets.K}'], b: 'workspace-secret://K', c: '$${secrets.K}' },
    };
    expect(inTools({ name: 'm', implementation })).toEqual([
      'tools.custom[0].implementation.responses["a"][0] secret_not_allowed',
      'tools.custom[0].implementation.responses["b"] wrong_reference',
    ]);
  });

  test.each([
    ['HTTPS://h', []],
    ['https://h?q=${secrets.K}', ['secret_host_not_literal']],
    ['https://h/${secrets.K}', []],
    ['https://user@${parameters}/', ['secret_host_not_literal']],
    ['https://h\\${secrets.K}', ['secret_host_not_literal']],
    ['ftp://h/', ['secret_host_not_literal']],
    ['https:///x', ['secret_host_not_literal']],
    ['https://$${h}/', []],
    [7, ['secret_host_not_literal']],
  ])('the url %j with a secret', (url, codes) => {
    const args = { url, headers: { A: '${secrets.K}' } };
    const found = inTools({ name: 'a', implementation: { primitive: 'http_request', args } });
    expect(found.map((finding) => finding.split(' ').at(-1))).toEqual(codes);
  });
});
