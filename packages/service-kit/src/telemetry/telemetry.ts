import { createRequire } from 'node:module';
import type { Logger } from '../logging.js';
import { processEnvironment } from './config.js';
import { metrics } from './metrics.js';
import { startTracing, wantsTraces } from './tracing.js';

/** Where figures are collected; nowhere without a port. */
export interface TelemetrySettings {
  METRICS_PORT?: number | undefined;
  METRICS_HOST?: string | undefined;
}

interface Opened {
  metricsPort: number | undefined;
  close: () => Promise<void>;
}

/** A service's part in what its process tells about itself. */
export interface Telemetry {
  /** Where `/metrics` is; undefined when figures are not collected. */
  metricsPort: number | undefined;
  close(): Promise<void>;
}

let users = 0;
let opening: Promise<Opened> | undefined;

/**
 * Opens what a process tells about itself, traces and figures, for the first of its services; those that follow share
 * it, and it is closed with the last. What is not asked for is not loaded.
 */
export async function openTelemetry(
  service: string,
  settings: TelemetrySettings,
  logger: Logger,
): Promise<Telemetry> {
  users += 1;
  opening ??= open(service, settings, logger);
  const opened = opening;
  let isClosed = false;
  const close = async () => {
    if (isClosed) return;
    isClosed = true;
    users -= 1;
    if (users > 0) return;
    opening = undefined;
    await (await opened).close();
  };
  try {
    return { metricsPort: (await opened).metricsPort, close };
  } catch (error) {
    users -= 1;
    if (users === 0) opening = undefined;
    throw error;
  }
}

async function open(service: string, settings: TelemetrySettings, logger: Logger): Promise<Opened> {
  const server = await openMetrics(settings);
  try {
    const endTracing = wantsTraces(processEnvironment)
      ? await startTracing({
          service,
          version: ownVersion(),
          onProblem: (problem) => logger.warn({ problem: firstWords(problem) }, 'traces'),
        })
      : undefined;
    const close = async () => {
      await Promise.all([endTracing?.(), server?.close()]);
      metrics.collectInto(undefined);
    };
    return { metricsPort: server?.port, close };
  } catch (error) {
    await server?.close();
    throw error;
  }
}

async function openMetrics({ METRICS_PORT: port, METRICS_HOST: host = '127.0.0.1' }: TelemetrySettings) {
  if (port === undefined) return undefined;
  const { MetricsServer } = await import('./prometheus.js');
  return await MetricsServer.listen(metrics, { host, port });
}

function ownVersion(): string {
  const { version } = createRequire(import.meta.url)('../../package.json') as { version: string };
  return version;
}

/** A line of the SDK may hold a whole answer of the collector. */
function firstWords(problem: string): string {
  return problem.slice(0, 300);
}
