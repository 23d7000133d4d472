export { LOGGER } from '@agentclash/bus';
export { Batcher, type BatcherOptions } from './batcher.js';
export { BlobEnvironment, type BlobSettings } from './blobs/blob-settings.js';
export {
  BLOB_PREFIXES,
  type BlobSource,
  type BlobStore,
  type ByteRange,
  type ListedBlob,
  type StoredBlob,
} from './blobs/blob-store.js';
export { Blobs } from './blobs/blobs.js';
export { BlobsModule } from './blobs/blobs.module.js';
export { openArchive, putArchive } from './blobs/stored-archive.js';
export { type SweptArea, sweepAll, sweepStep } from './blobs/sweep.js';
export { SweepLoop, SweepSettings, sweepEnvironment } from './blobs/sweep.loop.js';
export {
  ConfigError,
  databaseEnvironment,
  flag,
  integer,
  list,
  readConfig,
  serviceEnvironment,
} from './config.js';
export { decodeCursor, decodeIdCursor, decodePositionCursor, encodeCursor, pageOf } from './cursor.js';
export {
  connectionTo,
  createDatabase,
  type DatabaseClass,
  type DatabaseClient,
  DatabaseModule,
  type DatabaseSettings,
} from './database/database.module.js';
export { classifyDatabaseError, sqlStateOf } from './database/database-error.js';
export { checkReadiness, type Readiness, type ReadinessCheck, ReadinessChecks } from './health.js';
export { newId } from './ids.js';
export { schemaDrift } from './migrations/drift.js';
export { type MigrateOptions, migrate } from './migrations/migrate.js';
export { type BusSlot, BusSlots } from './model-slots/bus-slots.js';
export { PeriodicTask, type PeriodicTaskOptions } from './periodic-task.js';
export { credentialVariables, ProviderCallsEnvironment, type ReadVariable } from './provider-calls.js';
export {
  isUnavailable,
  type RetryOptions,
  retryWhileUnavailable,
} from './retry-while-unavailable.js';
export { type SealedBox, SealedBoxKey, sealFor } from './sealed-box.js';
export { startDatabaseService } from './service/database-service.js';
export { runService } from './service/run.js';
export {
  type Kit,
  type RunningService,
  type ServiceConfig,
  type ServiceDefinition,
  type StartOptions,
  startService,
} from './service/service.js';
export { withLogFields } from './telemetry/log-fields.js';
export { createLogger, type LogFields, type Logger, type LogLevel, NestLog } from './telemetry/logging.js';
export { METRICS, type MetricDeclaration, type MetricName } from './telemetry/metric-catalog.js';
export { metrics, secondsSince } from './telemetry/metrics.js';
export { countFailedTry, instrumentedModel, modelCallMeter } from './telemetry/model-calls.js';
export { InstrumentedRequest } from './telemetry/requests.js';
export { inSpan, inSpanOfTrace } from './telemetry/spans.js';
export { FairLimiter, TooManyWaiting } from './threads/fair-limiter.js';
export { TaskThread, type TaskThreadOptions, ThreadOverrun } from './threads/task-thread.js';
export { type PoolTask, ThreadPool, type ThreadPoolLimits } from './threads/thread-pool.js';
