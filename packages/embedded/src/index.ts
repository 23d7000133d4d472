export { cacheFolder, defaultDataFolder } from './config.js';
export { EmbeddedError, type EmbeddedErrorCode } from './error.js';
export { type FindNatsOptions, findNatsServer } from './nats/find.js';
export { type NatsOptions, type NatsServer, startNats } from './nats/start.js';
export { type PostgresBinaries, postgresBinaries } from './postgres/binaries.js';
export { type EnsureDatabaseOptions, ensureDatabase, type Login } from './postgres/database.js';
export { type PostgresOptions, type PostgresServer, startPostgres } from './postgres/start.js';
export { identify, type ProcessIdentity } from './process/identity.js';
export { assertPortFree, freePort } from './process/port.js';
