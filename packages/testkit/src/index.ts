export { sharedFolder, type VectorSuite, vectorSuite } from './vectors.js';
