export { type FakeClock, fakeClock } from './fake-clock.js';
export { FakeS3, type S3Failure } from './fake-s3/fake-s3.js';
export { type DatabaseTemplate, type FreshDatabase, freshDatabase } from './fresh-database.js';
export { type FreshNatsOptions, freshNats } from './fresh-nats.js';
export { sharedFolder } from './shared-folder.js';
export { type WaitOptions, waitFor } from './wait-for.js';
