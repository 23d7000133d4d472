import { processEnvironment } from './config.js';
import type { Logger } from './logging.js';
import { metrics } from './metrics.js';
import { releaseVersion } from './release-version.js';
import { startTracing, wantsTraces } from './tracing.js';

/** The address of the metrics endpoint; metrics are off without a port. */
export interface TelemetrySettings {
  METRICS_PORT?: number | undefined;
  METRICS_HOST?: string | undefined;
}

interface Opened {
  metricsPort: number | undefined;
  close: () => Promise<void>;
}

/** A service's handle on the telemetry that it shares with the other services of its process. */
export interface Telemetry {
  /** The port of `/metrics`; undefined when metrics are off. */
  metricsPort: number | undefined;
  close(): Promise<void>;
}

let users = 0;
let opening: Promise<Opened> | undefined;

/**
 * Starts the traces and metrics of a process with its first service; the others share them, and the last one stops them.
 * Disabled parts are not loaded.
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
          version: releaseVersion(),
          onProblem: (problem) => logger.warn({ problem: truncated(problem) }, 'trace export failed'),
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

/** A message of the SDK may hold a whole response of the collector. */
function truncated(problem: string): string {
  return problem.slice(0, 300);
}
