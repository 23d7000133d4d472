import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { routes } from '@agentclash/api';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { command, emptyFolder } from '../../testing/command.js';
import { FakeProblem, useFakeApi } from '../../testing/fake-api.js';

const { api } = useFakeApi();
const TOKEN = 'ac_test_token';
const workspace = {
  ...{ id: randomUUID(), slug: 'team', name: 'Team', created_at: '2026-03-01T12:00:00.000Z' },
};
let folder: string;
let config: string;
/** A home in which nothing but a settings file gives a server. */
const run = (words: string[], stdin = '') => command(words, { env: { XDG_CONFIG_HOME: folder }, stdin });

beforeEach(() => {
  folder = emptyFolder();
  config = path.join(folder, 'agentclash', 'config.yaml');
  api.reset();
  api.on(routes.workspaces.whoami, ({ headers }) => {
    if (headers.authorization !== `Bearer ${TOKEN}`) {
      throw new FakeProblem({ status: 401, code: 'unauthenticated', detail: 'The token is not valid' });
    }
    return {
      workspace,
      role: 'member' as const,
      token: { id: randomUUID(), name: 'laptop', expires_at: null },
    };
  });
});

describe('login', () => {
  test('a valid token is kept for the user alone, with its server, and later commands use both', async () => {
    const { code, stdout } = await run(['login', `${api.url}/`], `${TOKEN}\n`);
    expect(code).toBe(0);
    expect(stdout).toContain('team');
    expect(stdout).not.toContain(TOKEN);
    expect(readFileSync(config, 'utf8')).toBe(`api_url: ${api.url}\ntoken: ${TOKEN}\n`);
    expect(statSync(config).mode & 0o777).toBe(0o600);
    const who = await run(['whoami', '--json']);
    expect(JSON.parse(who.stdout)).toMatchObject({
      api_url: api.url,
      workspace: { slug: 'team' },
      role: 'member',
      origins: { api_url: config, token: config, workspace: null },
    });
  });

  test('a token that the server refuses is not kept, and the settings before stay', async () => {
    await run(['login', api.url], TOKEN);
    const before = readFileSync(config, 'utf8');
    const { code, stderr } = await run(['login', api.url], 'ac_wrong');
    expect(code).toBe(77);
    expect(stderr).toContain(`The token is not valid at ${api.url}`);
    expect(stderr).not.toContain('ac_wrong');
    expect(readFileSync(config, 'utf8')).toBe(before);
  });

  test('other members and comments of the settings file stay through login and logout', async () => {
    mkdirSync(path.dirname(config), { recursive: true });
    writeFileSync(config, '# ours\nx-note: kept\nworkspace: old\n');
    await run(['login', api.url], TOKEN);
    expect(readFileSync(config, 'utf8')).toBe(`# ours\nx-note: kept\napi_url: ${api.url}\ntoken: ${TOKEN}\n`);
    expect((await run(['logout'])).code).toBe(0);
    expect(readFileSync(config, 'utf8')).toBe('# ours\nx-note: kept\n');
    expect((await run(['whoami'])).code).toBe(69);
  });

  test('a server that is none is refused before a token is read', async () => {
    for (const url of ['clash.example', 'ftp://clash.example', 'https://user:word@clash.example']) {
      const { code, stderr } = await run(['login', url], TOKEN);
      expect(code).toBe(64);
      expect(stderr).toContain('is not the address of a server');
    }
    const { code, stderr } = await run(['login'], TOKEN);
    expect({ code, stderr }).toMatchObject({
      code: 64,
      stderr: expect.stringContaining('No server is named'),
    });
  });

  test('an empty token is refused with the next step', async () => {
    const { code, stderr } = await run(['login', api.url], '\n');
    expect(code).toBe(64);
    expect(stderr).toContain('agentclash token create');
  });
});
