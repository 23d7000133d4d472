import { describe, expect, test } from '@jest/globals';
import type { AttemptEnd } from '../outcome/attempt-end.js';
import { ModelReach } from './model-reach.js';

const TIME: AttemptEnd = { because: 'limit', limit: 'time' };
const reachOf = (model_hosts?: string[]) =>
  new ModelReach({ kind: 'program', config: { command: ['solve'], ...(model_hosts && { model_hosts }) } });
const failing = (host: string, port = 443) => ({ host, port, failure: 'connect_failed' });

describe('a program whose model cannot be reached', () => {
  test('a program whose model cannot be reached ends as a provider error, whether it timed out or exited', () => {
    const reach = reachOf(['API.model.example', 'models.local:8080']);
    reach.note(failing('api.model.example'));
    const unreachable = {
      because: 'provider',
      class: 'unavailable',
      message: "the program's model could not be reached: api.model.example:443: connect_failed",
    };
    expect(reach.explain(TIME)).toEqual(unreachable);
    expect(reach.explain({ because: 'agent_error', code: 'exit_nonzero' })).toEqual(unreachable);
  });

  test('every other end, and a final output, stay as they are', () => {
    const reach = reachOf(['models.local:8080']);
    reach.note(failing('models.local', 8080));
    const ends: AttemptEnd[] = [
      { because: 'completed', finishedBy: 'program', output: 'x' },
      { because: 'limit', limit: 'memory' },
      { because: 'agent_error', code: 'signal' },
      { because: 'policy', rule: 'canary_in_egress' },
    ];
    for (const end of ends) expect(reach.explain(end)).toBe(end);
  });

  test('a program that reached its model once, tried another host or port, or names no hosts fails on its own', () => {
    const reached = reachOf(['models.local']);
    reached.note(failing('models.local'));
    reached.note({ host: 'models.local', port: 443 });
    const elsewhere = reachOf(['models.local']);
    elsewhere.note(failing('nowhere.invalid'));
    elsewhere.note(failing('models.local', 9_999));
    const unnamed = reachOf();
    unnamed.note(failing('models.local'));
    for (const reach of [reached, elsewhere, unnamed, reachOf(['models.local'])]) {
      expect(reach.explain(TIME)).toBe(TIME);
    }
  });

  test('a program with model hosts cannot be run without a network', () => {
    expect(reachOf(['models.local']).endWithoutEgress(false)).toMatchObject({
      because: 'provider',
      class: 'egress_blocked',
    });
    expect(reachOf(['models.local']).endWithoutEgress(true)).toBeUndefined();
    expect(reachOf().endWithoutEgress(false)).toBeUndefined();
  });
});
