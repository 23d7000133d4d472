import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One span as OTLP has it in JSON, its attributes by name. */
export interface CollectedSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  /** 1 internal, 2 server, 3 client, 4 producer, 5 consumer. */
  kind: number;
  attributes: Record<string, unknown>;
  links: { traceId: string; spanId: string }[];
  status: { code?: number; message?: string };
  /** Of the process that it is of. */
  resource: Record<string, unknown>;
}

interface KeyValue {
  key: string;
  value: Record<string, unknown>;
}
type WireSpan = Omit<CollectedSpan, 'attributes' | 'links' | 'resource'> & {
  attributes?: KeyValue[];
  links?: CollectedSpan['links'];
};
interface Export {
  resourceSpans: { resource: { attributes: KeyValue[] }; scopeSpans: { spans: WireSpan[] }[] }[];
}

/** A collector of traces: takes OTLP/HTTP in JSON, and keeps what it got. */
export class TraceCollector {
  readonly spans: CollectedSpan[] = [];
  /** Every body as it came. */
  readonly bodies: string[] = [];
  readonly authorizations = new Set<string | undefined>();

  private constructor(private readonly server: Server) {}

  static async start(): Promise<TraceCollector> {
    const server = createServer((request, response) => {
      void collector.take(request).then((status) => {
        response.writeHead(status, { 'content-type': 'application/json' }).end('{}');
      });
    });
    const collector = new TraceCollector(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return collector;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  named(name: string | RegExp): CollectedSpan[] {
    return this.spans.filter((span) =>
      typeof name === 'string' ? span.name === name : name.test(span.name),
    );
  }

  of(traceId: string): CollectedSpan[] {
    return this.spans.filter((span) => span.traceId === traceId);
  }

  /** The names of a span and of all that it is part of, the outermost last. */
  pathOf(span: CollectedSpan): string[] {
    const parent = this.spans.find(({ spanId }) => spanId === span.parentSpanId);
    return parent === undefined ? [span.name] : [span.name, ...this.pathOf(parent)];
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async take(request: IncomingMessage): Promise<number> {
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk;
    if (request.url !== '/v1/traces') return 404;
    this.bodies.push(body);
    this.authorizations.add(request.headers.authorization);
    for (const { resource, scopeSpans } of (JSON.parse(body) as Export).resourceSpans) {
      for (const span of scopeSpans.flatMap(({ spans }) => spans)) {
        this.spans.push({
          ...span,
          attributes: plain(span.attributes),
          links: span.links ?? [],
          resource: plain(resource.attributes),
        });
      }
    }
    return 200;
  }
}

function plain(attributes: readonly KeyValue[] = []): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}
