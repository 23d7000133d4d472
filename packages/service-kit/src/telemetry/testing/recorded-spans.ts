import { context } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { traceWith } from '../spans.js';

/** Traces into memory from now on. */
export class RecordedSpans {
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
