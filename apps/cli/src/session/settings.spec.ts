import { describe, expect, test } from '@jest/globals';
import { resolveSettings, type SettingsSource } from './settings.js';

const server = 'https://clash.example';
const flags = (values: Partial<SettingsSource>): SettingsSource => ({ origin: 'options', ...values });
const env = (values: Partial<SettingsSource>): SettingsSource => ({ origin: 'environment', ...values });
const file = (origin: string, values: Partial<SettingsSource>): SettingsSource => ({
  origin,
  isFile: true,
  ...values,
});

describe('settings', () => {
  test('each setting comes from the first source that has it', () => {
    const settings = resolveSettings([
      flags({ workspace: 'mine' }),
      env({ api_url: server, token: 'ac_env', workspace: 'theirs' }),
      file('project', { api_url: 'https://other.example', token: 'ac_file' }),
    ]);
    expect(settings).toEqual({
      apiUrl: { value: server, origin: 'environment' },
      token: { value: 'ac_env', origin: 'environment' },
      workspace: { value: 'mine', origin: 'options' },
    });
  });

  test('a project that names a server never gets the token of another file', () => {
    const { token } = resolveSettings([
      file('project', { api_url: 'https://evil.example' }),
      file('user', { api_url: server, token: 'ac_secret' }),
      file('stack', { token: 'ac_unbound' }),
    ]);
    expect(token).toBeUndefined();
  });

  test('the token of a file is used for its own server, however the address was given', () => {
    const { token } = resolveSettings([
      flags({ api_url: `${server}/` }),
      file('user', { api_url: server, token: 'ac_user' }),
    ]);
    expect(token).toEqual({ value: 'ac_user', origin: 'user' });
  });

  const project = (values: Partial<SettingsSource>) => ({ ...file('project', values), isProject: true });

  test('a token of the environment or the options is not sent to a server that only a project file names', () => {
    for (const source of [env({ token: 'ac_env' }), flags({ token: 'ac_flag' })]) {
      const { token, withheldToken } = resolveSettings([
        source,
        project({ api_url: 'https://evil.example' }),
      ]);
      expect(token).toBeUndefined();
      expect(withheldToken?.origin).toBe(source.origin);
    }
  });

  test('a token of the environment is sent to the server of a project file that the user names too', () => {
    const named = [
      [env({ token: 'ac_env', api_url: `${server}/` }), project({ api_url: server })],
      [env({ token: 'ac_env' }), project({ api_url: server }), file('user', { api_url: server })],
      [env({ token: 'ac_env' }), file('user', { api_url: server })],
    ];
    for (const sources of named) expect(resolveSettings(sources).token?.value).toBe('ac_env');
  });

  test('the workspace of another server is not used, one without a server is', () => {
    const { workspace } = resolveSettings([
      flags({ api_url: server }),
      file('stack', { api_url: 'http://127.0.0.1:1', workspace: 'default' }),
      file('user', { workspace: 'team' }),
    ]);
    expect(workspace).toEqual({ value: 'team', origin: 'user' });
  });

  test('an unset setting is absent, and an empty one counts as unset', () => {
    expect(resolveSettings([flags({ token: '' })])).toEqual({});
  });
});
