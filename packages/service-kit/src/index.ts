export { LOGGER } from '@agentclash/bus';
export { Batcher } from './batcher.js';
export { BlobEnvironment, type BlobSettings } from './blobs/blob-settings.js';
export {
  BLOB_PREFIXES,
  type BlobSource,
  type BlobStore,
  type ByteRange,
  type StoredBlob,
} from './blobs/blob-store.js';
export { Blobs } from './blobs/blobs.js';
export { BlobsModule } from './blobs/blobs.module.js';
export { openArchive, putArchive } from './blobs/stored-archive.js';
export { type SweptArea, sweepAll, sweepStep } from './blobs/sweep.js';
export { SweepLoop, SweepSettings, sweepEnvironment } from './blobs/sweep.loop.js';
export { databaseEnvironment, flag, integer, list, readConfig, serviceEnvironment } from './config.js';
export { decodeCursor, decodeIdCursor, decodePositionCursor, encodeCursor, pageOf } from './cursor.js';
export { connectionTo, createDatabase, type DatabaseClass } from './database/database.module.js';
export { classifyDatabaseError, sqlStateOf } from './database/database-error.js';
export { literally } from './database/literally.js';
export { checkReadiness, type Readiness, ReadinessChecks } from './health.js';
export { newId } from './ids.js';
export { migrate } from './migrations/migrate.js';
export { BusSlots } from './model-slots/bus-slots.js';
export { PeriodicTask } from './periodic-task.js';
export { credentialVariables, ProviderCallsEnvironment, type ReadVariable } from './provider-calls.js';
export { isUnavailable, retryWhileUnavailable } from './retry-while-unavailable.js';
export { BusBudget } from './run-budgets/bus-budget.js';
export { SealedBoxKey, sealFor } from './sealed-box.js';
export { startDatabaseService } from './service/database-service.js';
export { runService } from './service/run.js';
export { type RunningService, type StartOptions, startService } from './service/service.js';
export { withLogFields } from './telemetry/log-fields.js';
export { createLogger, type Logger, type LogLevel, NestLog } from './telemetry/logging.js';
export { METRICS } from './telemetry/metric-catalog.js';
export { metrics, secondsSince } from './telemetry/metrics.js';
export { countFailedTry, instrumentedModel, modelCallMeter } from './telemetry/model-calls.js';
export { releaseVersion } from './telemetry/release-version.js';
export { InstrumentedRequest } from './telemetry/requests.js';
export { inSpan, inSpanOfTrace } from './telemetry/spans.js';
export { ValueCache } from './value-cache.js';
