import { context, type DiagLogger, DiagLogLevel, diag } from '@opentelemetry/api';
import { traceWith } from './spans.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** True when OpenTelemetry's own variables enable traces. */
export function wantsTraces(environment: Environment): boolean {
  if (environment.OTEL_SDK_DISABLED?.toLowerCase() === 'true') return false;
  const exporter = environment.OTEL_TRACES_EXPORTER?.trim();
  if (exporter !== undefined && exporter !== '') return exporter === 'otlp';
  const { OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT } = environment;
  return Boolean(OTEL_EXPORTER_OTLP_ENDPOINT || OTEL_EXPORTER_OTLP_TRACES_ENDPOINT);
}

export interface TracingOptions {
  /** Names the process unless `OTEL_SERVICE_NAME` does. */
  service: string;
  version: string;
  /** Called with the problem when spans cannot be exported. */
  onProblem: (message: string) => void;
}

/**
 * Starts to export spans by OTLP/HTTP (JSON). OpenTelemetry's SDK reads the endpoint, sampling and names from its own
 * environment variables. Returns a function that flushes and stops.
 */
export async function startTracing({
  service,
  version,
  onProblem,
}: TracingOptions): Promise<() => Promise<void>> {
  const [{ AsyncLocalStorageContextManager }, { OTLPTraceExporter }, resources, sdk] = await Promise.all([
    import('@opentelemetry/context-async-hooks'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
    import('@opentelemetry/sdk-trace-base'),
  ]);
  diag.setLogger(problemsOnly(onProblem), { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  const { defaultResource, detectResources, envDetector, resourceFromAttributes } = resources;
  const own = resourceFromAttributes({
    'service.name': service,
    'service.namespace': 'agentclash',
    'service.version': version,
  });
  const provider = new sdk.BasicTracerProvider({
    // The operator's attributes override these.
    resource: defaultResource()
      .merge(own)
      .merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new sdk.BatchSpanProcessor(new OTLPTraceExporter())],
  });
  traceWith(provider.getTracer('agentclash', version));
  return async () => {
    traceWith(undefined);
    await provider.shutdown().catch(() => onProblem('the last spans were not exported'));
    context.disable();
    diag.disable();
  };
}

function problemsOnly(onProblem: (message: string) => void): DiagLogger {
  const ignore = () => {};
  return { error: onProblem, warn: onProblem, info: ignore, debug: ignore, verbose: ignore };
}
