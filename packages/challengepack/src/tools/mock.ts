import type { Mock, MockStrategy } from '@agentclash/domain';
import { isJsonObject, type JsonObject, type JsonValue, ownMember } from '../json.js';
import { descend, fillPlaceholders } from './fill.js';
import { mapOpaque } from './opaque-text.js';

/** A lookup that has no entry for the call and no `*`. */
export class MockError extends Error {
  override readonly name = 'MockError';
}

export function mockStrategy(mock: Mock): MockStrategy {
  if (mock.strategy) return mock.strategy;
  if (mock.lookup_key !== undefined || mock.responses !== undefined) return 'lookup';
  return mock.template === undefined ? 'static' : 'echo';
}

/** The response of a mock to a call. Throws MockError. */
export function mockResponse(mock: Mock, args: JsonObject): JsonValue {
  return STRATEGIES[mockStrategy(mock)](mock, args);
}

const STRATEGIES: Record<MockStrategy, (mock: Mock, args: JsonObject) => JsonValue> = {
  static: (mock) => mock.response ?? null,
  lookup: ({ lookup_key, responses }, args) => {
    const found = descend(args, (lookup_key ?? '').split('.'));
    const key = typeof found === 'string' ? found : found === undefined ? '' : JSON.stringify(found);
    const entry = [key, '*'].find((name) => ownMember(responses, name) !== undefined);
    const solution = entry === undefined ? undefined : ownMember(responses, entry);
    if (solution === undefined) throw new MockError('no response is defined for these arguments');
    return solution;
  },
  echo: ({ template }, args) => {
    const filled = mapOpaque(fillPlaceholders(template ?? {}, args, { missing: 'keep' }), (text) =>
      text.mask(),
    );
    return isJsonObject(filled) ? filled : {};
  },
};
