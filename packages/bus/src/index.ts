export {
  BUS_ACCOUNT,
  type BusApiIdentity,
  type Nkey,
  natsAccountsConfig,
  newNkey,
  nkeyVariable,
} from './accounts.js';
export { Bus } from './bus.js';
export { BusServer } from './bus-server.js';
export { BusConnection, type BusOptions } from './connection.js';
export { ContractErrorFilter, ERROR_CLASSIFIER, type ErrorClassifier } from './contract-error.filter.js';
export { checkHandlers } from './handler-check.js';
export { Handles, Listener, type Serves, Subscribes } from './handles.js';
export type { Arrival, BusInstrumentation } from './instrumentation.js';
export { type Concurrency, durableName, type JetStreamOptions, type QueueDepth } from './jetstream-server.js';
export { type BusLogFields, type BusLogger, LOGGER } from './logger.js';
export { fieldProblems } from './message.pipe.js';
export { type NatsUser, type Permissions, permissionsOf, serviceUsers } from './permissions.js';
export { type BusApiUser, natsServerConfig } from './server-config.js';
export {
  awaitStreams,
  BUS_API_MESSAGE_BYTES_MAX,
  provisionStreams,
  STREAMS,
  streamOf,
} from './streams.js';
