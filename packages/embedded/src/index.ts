export { cacheFolder, defaultDataFolder, sharedCacheFolder } from './config.js';
export { findNatsRelease, findNatsServer } from './nats/find.js';
export { type NatsServer, reloadNats, startNats, storeIn } from './nats/start.js';
export { unsupportedNotice } from './nats/version.js';
export { postgresBinaries } from './postgres/binaries.js';
export { ensureDatabase } from './postgres/database.js';
export { assertNotServedElsewhere, type PostgresServer, startPostgres } from './postgres/start.js';
export { identify } from './process/pid-record.js';
export { assertPortFree, freePort } from './process/port.js';
