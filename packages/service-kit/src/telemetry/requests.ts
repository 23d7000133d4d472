import { type Context, context, type Span, SpanStatusCode } from '@opentelemetry/api';
import { withLogFields } from './log-fields.js';
import { metrics } from './metrics.js';
import { openSpan } from './spans.js';
import { contextOf, type ReadHeader } from './trace-headers.js';

interface RequestStart {
  id: string;
  method: string;
  /** The pattern of the path, never the path itself. */
  route: string;
  header: ReadHeader;
}

/** The instrumentation of an HTTP request: log fields, a span, metrics. */
export class InstrumentedRequest {
  private readonly traced: { span: Span; within: Context } | undefined;

  constructor(private readonly start: RequestStart) {
    const { id, method, route, header } = start;
    this.traced = openSpan(`${method} ${route}`, {
      kind: 'SERVER',
      parent: contextOf(header),
      isOrigin: true,
      attributes: { 'http.request.method': method, 'http.route': route, 'agentclash.request.id': id },
    });
  }

  /** Runs a part of the request's work with its log fields and its span. */
  within(work: () => void): void {
    const named = () => withLogFields({ request_id: this.start.id }, work);
    if (this.traced === undefined) named();
    else context.with(this.traced.within, named);
  }

  end(status: number, ms: number): void {
    const { method, route } = this.start;
    metrics.observe(
      'agentclash_http_request_duration_seconds',
      { method, route, status: String(status) },
      ms / 1_000,
    );
    if (this.traced === undefined) return;
    const { span } = this.traced;
    span.setAttribute('http.response.status_code', status);
    if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end();
  }
}
