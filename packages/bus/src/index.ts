export { Bus } from './bus.js';
export { BusServer } from './bus-server.js';
export { BusConnection, type BusOptions } from './connection.js';
export { ContractErrorFilter } from './contract-error.filter.js';
export { checkHandlers } from './handler-check.js';
export { Handles, Hears, Listener, type Serves } from './handles.js';
export type { JetStreamOptions } from './jetstream-server.js';
export { fieldProblems } from './message.pipe.js';
export {
  type NatsUser,
  natsServerConfig,
  type Permissions,
  permissionsOf,
  serviceUsers,
} from './permissions.js';
export { awaitStreams, provisionStreams, STREAMS } from './streams.js';
