import { describe, expect, test } from '@jest/globals';
import { commandProblems, environmentProblems, headerProblems } from './literal-values.js';

const received = (headers: Record<string, string>, hasCredential = false) =>
  headerProblems(headers, { hasCredential }).map(({ code, field }) => `${code} ${field}`);

describe('headers of an endpoint', () => {
  test('headers that any request can carry are accepted', () => {
    expect(
      received({ 'X-Client': 'agentclash', Accept: 'application/json', Authorization: 'Basic eA==' }),
    ).toEqual([]);
  });

  test.each(['Host', 'connection', 'Content-Length', 'Transfer-Encoding', 'Proxy-Authorization'])(
    'the header %s is refused when it is saved, not when it is sent',
    (name) => {
      expect(received({ [name]: 'x' })).toEqual([`header_not_allowed config.headers.${name}`]);
    },
  );

  test('headers that differ only in case are refused', () => {
    expect(received({ 'X-A': '1', 'x-a': '2' })).toEqual(['header_invalid config.headers.x-a']);
  });

  test.each(['${secrets.KEY}', 'Bearer ${secrets.KEY}', 'workspace-secret://KEY'])(
    'the header %s, which would be sent literally, is refused',
    (value) => {
      expect(received({ 'X-Key': value })).toEqual(['wrong_reference config.headers.X-Key']);
    },
  );

  test('headers with Authorization beside a credential are refused', () => {
    expect(received({ authorization: 'Basic eA==' }, true)).toEqual(['contradiction config.headers']);
  });
});

describe('Variables and arguments that no program can be started with', () => {
  test('A variable and an argument beyond 128 KiB, and 1 MiB of all together, are refused when they are saved', () => {
    const long = 'x'.repeat(128 * 1024 - 3);
    const fields = (env: Record<string, string>) =>
      environmentProblems(env).map(({ code, field }) => `${code} ${field}`);
    expect(fields({ A: long })).toEqual([]);
    expect(fields({ A: `${long}x` })).toEqual(['too_large config.env.A']);
    expect(fields({ A: 'ä'.repeat(64 * 1024 - 1) })).toEqual(['too_large config.env.A']);
    const many = Array.from({ length: 9 }, (_, index) => [`A${index}`, long.slice(1)]);
    expect(fields(Object.fromEntries(many))).toEqual(['too_large config.env']);
    expect(commandProblems(['x', `${long}xx`])).toEqual([]);
    expect(commandProblems(['x', `${long}xxx`])).toMatchObject([{ field: 'config.command.1' }]);
  });
});

describe('variables of a program', () => {
  test.each([
    ['LOG', 'quiet', []],
    ['PRICE', '${5}', []],
    ['AGENTCLASH_TASK', '/tmp/x', ['reserved_name config.env.AGENTCLASH_TASK']],
    ['KEY', '${secrets.KEY}', ['wrong_reference config.env.KEY']],
    ['KEY', 'workspace-secret://KEY', ['wrong_reference config.env.KEY']],
  ])('the variable %s=%s of a program has the problems %j', (name, value, expected) => {
    const problems = environmentProblems({ [name]: value });
    expect(problems.map(({ code, field }) => `${code} ${field}`)).toEqual(expected);
  });
});
