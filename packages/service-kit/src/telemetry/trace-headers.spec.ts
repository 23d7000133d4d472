import { describe, expect, test } from '@jest/globals';
import { ROOT_CONTEXT, type SpanContext, trace } from '@opentelemetry/api';
import fc from 'fast-check';
import { contextOf, originOf, traceHeaders, withOrigin } from './trace-headers.js';

const hex = (length: number) =>
  fc
    .string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: length, maxLength: length })
    .filter((text) => /[1-9a-f]/.test(text));
const span: fc.Arbitrary<SpanContext> = fc.record({
  traceId: hex(32),
  spanId: hex(16),
  traceFlags: fc.constantFrom(0, 1),
});
const read = (headers: Record<string, string>) => (name: string) => headers[name];

describe('the headers of a trace', () => {
  test('the headers of a trace bring the span and its initial fields to another process', () => {
    fc.assert(
      fc.property(span, span, (parent, origin) => {
        const sent = withOrigin(trace.setSpanContext(ROOT_CONTEXT, parent), origin);
        const got = contextOf(read(traceHeaders(sent)));
        expect(trace.getSpanContext(got)).toEqual({ ...parent, isRemote: true });
        expect(originOf(got)).toEqual({ ...origin, isRemote: true });
      }),
    );
  });

  test('the headers of a trace are none outside of a trace', () => {
    expect(traceHeaders(ROOT_CONTEXT)).toEqual({});
  });

  test('malformed headers start no trace and raise no error', () => {
    const zeros = `00-${'0'.repeat(32)}-${'0'.repeat(16)}-01`;
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.constant(zeros)), fc.string(), (traceparent, origin) => {
        const got = contextOf(read({ traceparent, 'agentclash-origin': origin }));
        expect(trace.getSpanContext(got)).toBeUndefined();
      }),
    );
  });
});
