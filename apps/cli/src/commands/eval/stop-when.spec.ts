import { RunRequest } from '@agentclash/api';
import { describe, expect, test } from '@jest/globals';
import { type EndOptions, stopWhenOf } from './stop-when.js';

const RUN_AGENT = '019a0000-0000-7000-8000-000000000071';

describe('the options of the end of a run', () => {
  test('a run without such options has no condition', () => {
    expect(stopWhenOf({})).toBeUndefined();
  });

  test.each([
    [{ stopWhen: 'decided' }, { decided: {} }],
    [
      { stopWhen: 'decided', goal: 'best', metric: 'overall', alpha: 0.01, margin: 0.1 },
      { decided: { goal: 'best', metric: 'overall', alpha: 0.01, margin: 0.1 } },
    ],
    [{ stopWhen: 'decided', baseline: RUN_AGENT }, { decided: { goal: 'baseline', baseline: RUN_AGENT } }],
    [{ budgetAttempts: 9 }, { budget: { attempts: 9 } }],
    [{ budgetUsd: 2.5, budgetTokens: 1_000 }, { budget: { usd: 2.5, tokens: 1_000 } }],
    [
      { stopWhen: 'decided', budgetAttempts: 9 },
      { decided: {}, budget: { attempts: 9 } },
    ],
  ] satisfies [EndOptions, object][])(
    'the options %j are a request that the server accepts',
    (options, condition) => {
      const stop_when = stopWhenOf(options);
      expect(JSON.parse(JSON.stringify(stop_when))).toEqual(condition);
      expect(RunRequest.safeParse({ challenge_pack_version_id: RUN_AGENT, stop_when }).success).toBe(true);
    },
  );

  test.each([
    [{ alpha: 0.01 }, '--alpha needs --stop-when decided'],
    [{ margin: 0 }, '--margin needs --stop-when decided'],
    [{ goal: 'best', budgetAttempts: 9 }, '--goal needs --stop-when decided'],
    [{ metric: 'pass' }, '--metric needs --stop-when decided'],
    [{ baseline: RUN_AGENT }, '--baseline needs --stop-when decided'],
    [{ stopWhen: 'decided', goal: 'baseline' }, '--goal baseline needs --baseline'],
    [
      { stopWhen: 'decided', goal: 'ranking', baseline: RUN_AGENT },
      '--baseline and --goal ranking exclude each other',
    ],
  ] satisfies [EndOptions, string][])('the options %j are refused: %s', (options, message) => {
    expect(() => stopWhenOf(options)).toThrow(
      expect.objectContaining({ exit: 'usage', message: expect.stringContaining(message) }),
    );
  });
});
