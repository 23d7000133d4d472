export { expectNear } from './near.js';
export { sharedFolder, type VectorSuite, vectorSuite } from './vectors.js';
