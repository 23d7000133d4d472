import { describe, expect, test } from '@jest/globals';
import { environmentProblems, headerProblems } from './literal-values.js';

const received = (headers: Record<string, string>, hasCredential = false) =>
  headerProblems(headers, { hasCredential }).map(({ code, field }) => `${code} ${field}`);

describe('headers of an endpoint', () => {
  test('that any request can carry are fine', () => {
    expect(
      received({ 'X-Client': 'agentclash', Accept: 'application/json', Authorization: 'Basic eA==' }),
    ).toEqual([]);
  });

  test.each(['Host', 'connection', 'Content-Length', 'Transfer-Encoding', 'Proxy-Authorization'])(
    '%s is refused when it is saved, not when it is sent',
    (name) => {
      expect(received({ [name]: 'x' })).toEqual([`header_not_allowed config.headers.${name}`]);
    },
  );

  test('that stand twice in different cases are refused', () => {
    expect(received({ 'X-A': '1', 'x-a': '2' })).toEqual(['header_invalid config.headers.x-a']);
  });

  test.each(['${secrets.KEY}', 'Bearer ${secrets.KEY}', 'workspace-secret://KEY'])(
    '%s, which would be sent as it stands, is refused',
    (value) => {
      expect(received({ 'X-Key': value })).toEqual(['wrong_reference config.headers.X-Key']);
    },
  );

  test('hold no Authorization beside a credential', () => {
    expect(received({ authorization: 'Basic eA==' }, true)).toEqual(['contradiction config.headers']);
  });
});

describe('variables of a program', () => {
  test.each([
    ['LOG', 'quiet', []],
    ['PRICE', '${5}', []],
    ['AGENTCLASH_TASK', '/tmp/x', ['reserved_name config.env.AGENTCLASH_TASK']],
    ['KEY', '${secrets.KEY}', ['wrong_reference config.env.KEY']],
    ['KEY', 'workspace-secret://KEY', ['wrong_reference config.env.KEY']],
  ])('%s=%s: %j', (name, value, expected) => {
    const problems = environmentProblems({ [name]: value });
    expect(problems.map(({ code, field }) => `${code} ${field}`)).toEqual(expected);
  });
});
