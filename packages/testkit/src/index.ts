export { fakeClock } from './fake-clock.js';
export { FakeS3 } from './fake-s3/fake-s3.js';
export { type FreshDatabase, freshDatabase } from './fresh-database.js';
export { freshNats } from './fresh-nats.js';
export { sharedFolder } from './shared-folder.js';
export { waitFor } from './wait-for.js';
