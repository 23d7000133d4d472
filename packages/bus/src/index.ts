export {
  BUS_ACCOUNT,
  type FrontDoor,
  type Nkey,
  natsAccountsConfig,
  newNkey,
  nkeyVariable,
} from './accounts.js';
export { Bus } from './bus.js';
export { BusServer } from './bus-server.js';
export { BusConnection, type BusOptions } from './connection.js';
export { ContractErrorFilter, FAULT_READER, type FaultReader } from './contract-error.filter.js';
export { checkHandlers } from './handler-check.js';
export { Handles, Hears, Listener, type Serves } from './handles.js';
export { type Concurrency, durableName, type JetStreamOptions, type QueueDepth } from './jetstream-server.js';
export { fieldProblems } from './message.pipe.js';
export { type NatsUser, type Permissions, permissionsOf, serviceUsers } from './permissions.js';
export { type FrontDoorUser, natsServerConfig } from './server-config.js';
export {
  awaitStreams,
  FRONT_DOOR_MESSAGE_BYTES_MAX,
  provisionStreams,
  STREAMS,
  streamOf,
} from './streams.js';
export type { Arrival, BusWatch } from './watch.js';
