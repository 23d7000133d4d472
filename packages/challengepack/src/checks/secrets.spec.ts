import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../json.js';
import { findingsIn, problemsIn, set } from '../testing/example-pack.js';

const OPEN_NETWORK = set('version.sandbox', { network_access: true });
const URL = 'https://api.example.com/x';

function inTools(...custom: JsonObject[]): string[] {
  return findingsIn([OPEN_NETWORK, set('tools', { custom })]);
}

describe('secrets in tools', () => {
  test.each([
    ['a header', { headers: { A: '${secrets.K}' } }, ''],
    ['the body', { body: '{"key": "${json:secrets.K}"}' }, ''],
    ['the query', {}, '?k=${query:secrets.K}'],
  ])('a secret in %s is never sent to a public host over plain http', (_where, more, query) => {
    const tool = (url: string) =>
      inTools({ name: 'a', implementation: { primitive: 'http_request', args: { url, ...more } } });
    expect(tool(`http://api.example.com/x${query}`)).toEqual([
      'tools.custom[0].implementation.args["url"] secret_over_http',
    ]);
    expect(tool(`https://api.example.com/x${query}`)).toEqual([]);
  });

  test('a secret that is bound to nothing is a warning, and in strict mode an error', () => {
    const args = { url: URL, headers: { A: '${secrets.FREE}', B: '${secrets.BOUND}' } };
    const custom = [{ name: 'a', implementation: { primitive: 'http_request', args } }];
    const patches = [OPEN_NETWORK, set('tools', { custom })];
    const isUnboundSecret = (key: string) => key === 'FREE';
    expect(problemsIn(patches, { isUnboundSecret })).toEqual([
      expect.objectContaining({
        code: 'secret_unbound',
        severity: 'warning',
        field: 'tools.custom[0].implementation.args["headers"]["A"]',
        message: expect.stringContaining('FREE is bound to no origin'),
      }),
    ]);
    const [strictly] = problemsIn(patches, { isUnboundSecret, strict: true });
    expect(strictly).toMatchObject({ code: 'secret_unbound', severity: 'error' });
    expect(problemsIn(patches)).toEqual([]);
  });

  test('no tool of a chain with a secret may write its response to a file', () => {
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

  test('a mock holds no secret in any of its responses, in any encoding', () => {
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
    ['http://api.example.com/', ['secret_over_http']],
    ['http://127.0.0.1:8377/', []],
    ['https://h?q=${secrets.K}', ['secret_host_not_literal']],
    ['https://h/${secrets.K}', []],
    ['https://user@${parameters}/', ['secret_host_not_literal']],
    ['https://h\\${secrets.K}', ['secret_host_not_literal']],
    ['ftp://h/', ['secret_host_not_literal']],
    ['https:///x', ['secret_host_not_literal']],
    ['https://$${h}/', []],
    [7, ['secret_host_not_literal']],
  ])('a request with a secret to the url %j has the problems %j', (url, codes) => {
    const args = { url, headers: { A: '${secrets.K}' } };
    const found = inTools({ name: 'a', implementation: { primitive: 'http_request', args } });
    expect(found.map((finding) => finding.split(' ').at(-1))).toEqual(codes);
  });
});
