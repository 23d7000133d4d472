import { ContractError } from '@agentclash/contracts';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { context } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { Batcher } from '../batcher.js';
import { activeLogFields, withLogFields } from './log-fields.js';
import { instrumentedModel, modelCallMeter } from './model-calls.js';
import { inSpan, inSpanOfTrace, isTraced, traceWith } from './spans.js';

/** Traces into memory from now on. */
class RecordedSpans {
  private readonly exporter = new InMemorySpanExporter();

  constructor() {
    const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(this.exporter)] });
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
    traceWith(provider.getTracer('test'));
  }

  /** Those that ended since the last look, in that order. */
  take(): ReadableSpan[] {
    const ended = [...this.exporter.getFinishedSpans()];
    this.exporter.reset();
    return ended;
  }

  stop(): void {
    traceWith(undefined);
    context.disable();
  }
}

describe('spans', () => {
  let recorded: RecordedSpans;
  beforeEach(() => {
    recorded = new RecordedSpans();
  });
  afterEach(() => recorded.stop());

  test('a span is a child of the span around it, across awaited calls', async () => {
    await inSpan('outer', {}, async () => {
      await new Promise(setImmediate);
      await inSpanOfTrace('inner', {}, async () => {});
    });
    const [inner, outer] = recorded.take();
    expect(inner?.parentSpanContext?.spanId).toBe(outer?.spanContext().spanId);
  });

  test('a span is not begun outside of a trace', async () => {
    await inSpanOfTrace('alone', {}, async () => {});
    expect(recorded.take()).toEqual([]);
  });

  test('a span records the code of an error, and nothing of its message', async () => {
    const failures = [
      new ContractError('unavailable', 'sk-secret'),
      new TypeError('sk-secret'),
      Object.assign(new Error('sk-secret'), { code: 'sk secret with blanks' }),
      'sk-secret',
    ];
    for (const failure of failures) {
      await expect(inSpan('fails', {}, () => Promise.reject(failure))).rejects.toBe(failure);
    }
    const spans = recorded.take();
    expect(spans.map(({ attributes }) => attributes['error.type'])).toEqual([
      'unavailable',
      'TypeError',
      'Error',
      'unknown',
    ]);
    expect(
      spans.flatMap(({ events, status }) => [...events, ...(status.message ? [status.message] : [])]),
    ).toEqual([]);
  });

  test('the span of a batch links to the spans of all its items, and each item continues in its own', async () => {
    const batcher = new Batcher<number, number>(
      async (items) => await inSpanOfTrace('work', {}, async () => items),
      { itemsMax: 10 },
    );
    await Promise.all([1, 2, 3].map((item) => inSpan(`request ${item}`, {}, () => batcher.add(item))));
    const spans = recorded.take();
    const idOf = (name: string) => spans.find((span) => span.name === name)?.spanContext().spanId;
    const batch = spans.find(({ name }) => name === 'batch');
    expect(batch?.parentSpanContext?.spanId).toBe(idOf('request 1'));
    expect(batch?.links.map(({ context }) => context.spanId)).toEqual([idOf('request 2'), idOf('request 3')]);
    expect(spans.find(({ name }) => name === 'work')?.parentSpanContext?.spanId).toBe(idOf('batch'));
  });

  test('the span of a later batch does not end up in the trace of an earlier one', async () => {
    let release = (): void => {};
    const batcher = new Batcher<number, number>(
      async (items) => {
        await inSpanOfTrace(`work ${items.join()}`, {}, async () => {
          if (items.includes(1)) await new Promise<void>((resolve) => (release = resolve));
        });
        return items;
      },
      { itemsMax: 10 },
    );
    const first = inSpan('request 1', {}, () => batcher.add(1));
    await new Promise(setImmediate);
    const second = inSpan('request 2', {}, () => batcher.add(2));
    release();
    await Promise.all([first, second]);
    const spans = recorded.take();
    const traceOf = (name: string) => spans.find((span) => span.name === name)?.spanContext().traceId;
    expect(traceOf('work 2')).toBe(traceOf('request 2'));
    expect(traceOf('work 1')).toBe(traceOf('request 1'));
    expect(traceOf('request 1')).not.toBe(traceOf('request 2'));
  });

  test('the span of a model call holds names and counts, and no prompt or reply', async () => {
    const reply = {
      text: 'sk-secret',
      finishReason: 'stop',
      usage: { input: 7, output: null, cached_input: null },
      responseModel: 'm-1-2026',
      responseId: null,
      tries: 2,
      timing: { queued_ms: 5 },
    };
    const model = instrumentedModel({
      providerKey: 'google',
      name: 'm-1',
      call: async (_request: string) => reply,
    });
    expect(await model.call('sk-secret')).toBe(reply);
    const [span] = recorded.take();
    expect(span?.name).toBe('chat m-1');
    expect(span?.attributes).toEqual({
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'gcp.gemini',
      'gen_ai.request.model': 'm-1',
      'gen_ai.response.model': 'm-1-2026',
      'gen_ai.usage.input_tokens': 7,
      'gen_ai.response.finish_reasons': ['stop'],
      'agentclash.model.tries': 2,
      'agentclash.model.queued_ms': 5,
    });
  });

  test('Spans of calls whose replies are read elsewhere have the same attributes and the parent of their meter', async () => {
    const meter = await inSpan('attempt', {}, async () => modelCallMeter());
    const [attempt] = recorded.take();
    const model = { providerKey: 'google', name: 'm-1' };
    meter(model)({
      finishReason: 'stop',
      usage: { input: 7, output: 2, cached_input: null },
      responseModel: 'm-1-2026',
      responseId: 'r-1',
      tries: 1,
      timing: { queued_ms: 5 },
    });
    meter(model)({ failure: 'rate_limit' });
    const [completed, failed] = recorded.take();
    for (const span of [completed, failed]) {
      expect(span?.name).toBe('chat m-1');
      expect(span?.parentSpanContext?.spanId).toBe(attempt?.spanContext().spanId);
    }
    expect(completed?.attributes).toMatchObject({
      'gen_ai.provider.name': 'gcp.gemini',
      'gen_ai.response.model': 'm-1-2026',
      'gen_ai.usage.output_tokens': 2,
    });
    expect(failed?.attributes['error.type']).toBe('rate_limit');
  });

  test('the ids of the span and the log fields of a piece of work are in every log line of it', async () => {
    await withLogFields({ run_id: 'r', request_id: 'q' }, () =>
      withLogFields({ attempt_id: 'a' }, () =>
        inSpan('work', {}, async (span) => {
          await new Promise(setImmediate);
          const { traceId: trace_id, spanId: span_id } = span?.spanContext() ?? {};
          expect(activeLogFields()).toEqual({
            run_id: 'r',
            request_id: 'q',
            attempt_id: 'a',
            trace_id,
            span_id,
          });
        }),
      ),
    );
    expect(activeLogFields()).toEqual({});
  });

  test('no span is begun while traces are sent nowhere', async () => {
    traceWith(undefined);
    await inSpan('nothing', {}, async (span) => {
      expect([span, isTraced()]).toEqual([undefined, false]);
    });
    expect(recorded.take()).toEqual([]);
  });
});
