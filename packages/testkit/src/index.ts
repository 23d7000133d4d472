export { type FakeClock, fakeClock } from './fake-clock.js';
export { type DatabaseTemplate, type FreshDatabase, freshDatabase } from './fresh-database.js';
export { type FreshNatsOptions, freshNats } from './fresh-nats.js';
export { expectNear } from './near.js';
export { sharedFolder, type VectorSuite, vectorSuite } from './vectors.js';
export { type WaitOptions, waitFor } from './wait-for.js';
