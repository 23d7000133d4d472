import type { VectorDriver } from '@agentclash/testkit/vectors';
import { expect } from 'expect';
import { checkHttpRequest, type HttpRequestParts } from '../../client/http-request.js';
import { EgressError } from '../../guard/errors.js';

interface HttpVector {
  id: string;
  request: {
    method: string;
    headers?: Record<string, string>;
    body_bytes?: number;
    timeout_seconds?: number;
  };
  expect: HttpOutcome;
}

type HttpOutcome = { method: string; deadline_seconds: number } | { error: string; header?: string };

export const driver: VectorDriver<HttpVector> = {
  run({ request, expect: wanted }) {
    const { method, headers, body_bytes: bodyBytes = 0, timeout_seconds: seconds } = request;
    const timeoutMs = seconds === undefined ? {} : { timeoutMs: seconds * 1000 };
    expect(outcomeOf({ method, headers, body: 'b'.repeat(bodyBytes), ...timeoutMs })).toEqual(wanted);
  },
};

/** The outcome of a request before anything is sent, in the form of the vectors. */
export function outcomeOf(parts: HttpRequestParts): HttpOutcome {
  try {
    const checked = checkHttpRequest(parts);
    return { method: checked.method, deadline_seconds: checked.timeoutMs / 1000 };
  } catch (error) {
    if (!(error instanceof EgressError)) throw error;
    return error.header === undefined ? { error: error.code } : { error: error.code, header: error.header };
  }
}
