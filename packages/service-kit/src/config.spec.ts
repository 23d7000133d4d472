import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import {
  ConfigError,
  databaseEnvironment,
  flag,
  integer,
  list,
  readConfig,
  serviceEnvironment,
} from './config.js';

describe('the environment of a service', () => {
  test('the environment is read once into typed values, with defaults', () => {
    const config = readConfig(z.object(serviceEnvironment), { NATS_URL: 'nats://a:1, nats://b:2' });
    expect(config).toMatchObject({
      NATS_URL: ['nats://a:1', 'nats://b:2'],
      LOG_LEVEL: 'info',
      HEALTH_PORT: 0,
    });
  });

  test('the error of an environment names every missing or wrong variable at once', () => {
    const schema = z.object({ ...serviceEnvironment, ...databaseEnvironment });
    const read = () =>
      readConfig(schema, { LOG_LEVEL: 'loud', DATABASE_URL: 'mysql://x', HEALTH_PORT: '1e3' });
    expect(read).toThrow(ConfigError);
    expect(read).toThrow(/HEALTH_PORT[\s\S]*|LOG_LEVEL/);
    for (const name of ['LOG_LEVEL', 'DATABASE_URL', 'HEALTH_PORT'])
      expect(read).toThrow(new RegExp(`  ${name}: `));
  });

  test('an empty variable is the same as an absent one', () => {
    expect(readConfig(z.object({ A: z.string().default('x') }), { A: '' })).toEqual({ A: 'x' });
  });

  test.each(['-1', '1.5', '70000', 'x'])('the port %s is refused', (text) => {
    expect(integer(0, 65_535).safeParse(text).success).toBe(false);
  });

  test('the environment may hold lists and flags', () => {
    expect(list.parse(' a, ,b ')).toEqual(['a', 'b']);
    expect([flag.parse('true'), flag.parse('false'), flag.safeParse('yes').success]).toEqual([
      true,
      false,
      false,
    ]);
  });
});
