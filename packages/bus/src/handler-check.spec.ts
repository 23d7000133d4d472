import { job, rpc } from '@agentclash/contracts';
import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { checkHandlers } from './handler-check.js';
import { Handles } from './handles.js';

const nothing = z.object({});
const group = {
  find: rpc('x.v1.find', { input: nothing, output: nothing }),
  work: job('x.v1.work', { input: nothing }),
};
const other = { more: rpc('y.v1.more', { input: nothing, output: nothing }) };

@Handles(group)
class Complete {
  find() {
    return {};
  }

  work() {}
}

@Handles(group)
class Incomplete {
  find() {
    return {};
  }
}

describe('a service', () => {
  test('starts when every message it owns has exactly one handler', () => {
    expect(() => checkHandlers('x', [group], [Complete])).not.toThrow();
  });

  test('refuses to start when a message has no handler', () => {
    expect(() => checkHandlers('x', [group], [Incomplete])).toThrow(/job\.x\.v1\.work has no handler/);
  });

  test('refuses to start when a message has two handlers', () => {
    expect(() => checkHandlers('x', [group], [Complete, Incomplete])).toThrow(
      /rpc\.x\.v1\.find has 2 handlers/,
    );
  });

  test('refuses to start when it handles a message that it does not own', () => {
    expect(() => checkHandlers('y', [other], [Complete])).toThrow(
      /rpc\.x\.v1\.find is handled, but not owned/,
    );
  });

  test('reports all problems at once', () => {
    expect(() => checkHandlers('x', [group, other], [Incomplete])).toThrow(
      /job\.x\.v1\.work[\s\S]*rpc\.y\.v1\.more/,
    );
  });
});
