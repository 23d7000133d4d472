import { job, rpc } from '@agentclash/contracts';
import { describe, expect, test } from '@jest/globals';
import { PATTERN_METADATA } from '@nestjs/microservices/constants.js';
import { z } from 'zod';
import { checkHandlers } from './handler-check.js';
import { Handles, handledBy } from './handles.js';

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

abstract class Found {
  find() {
    return {};
  }
}

@Handles({ find: group.find })
class First extends Found {}

@Handles(other)
class Second extends Found {
  more() {
    return this.find();
  }
}

@Handles({ find: rpc('z.v1.find', { input: nothing, output: nothing }) })
class Third extends Found {}

describe('a service', () => {
  test('an inherited method is bound to the message of each class that inherits it', () => {
    expect([First, Second, Third].map((each) => handledBy(each).map(({ subject }) => subject))).toEqual([
      ['rpc.x.v1.find'],
      ['rpc.y.v1.more'],
      ['rpc.z.v1.find'],
    ]);
    const patterns = [First, Third].map(({ prototype }) =>
      Reflect.getMetadata(PATTERN_METADATA, prototype.find),
    );
    expect(patterns).toEqual([['rpc.x.v1.find'], ['rpc.z.v1.find']]);
    expect(new First().find()).toEqual({});
  });

  test('a service starts when every message it owns has exactly one handler', () => {
    expect(() => checkHandlers('x', [group], [Complete])).not.toThrow();
  });

  test('a service refuses to start when a message has no handler', () => {
    expect(() => checkHandlers('x', [group], [Incomplete])).toThrow(/job\.x\.v1\.work has no handler/);
  });

  test('a service refuses to start when a message has two handlers', () => {
    expect(() => checkHandlers('x', [group], [Complete, Incomplete])).toThrow(
      /rpc\.x\.v1\.find has 2 handlers/,
    );
  });

  test('a service refuses to start when it handles a message that it does not own', () => {
    expect(() => checkHandlers('y', [other], [Complete])).toThrow(
      /rpc\.x\.v1\.find is handled, but not owned/,
    );
  });

  test('a service reports all problems of its handlers at once', () => {
    expect(() => checkHandlers('x', [group, other], [Incomplete])).toThrow(
      /job\.x\.v1\.work[\s\S]*rpc\.y\.v1\.more/,
    );
  });
});
