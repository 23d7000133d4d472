import { vectorSuite } from '../vector-suite.js';

vectorSuite('execution-retry.yaml');
