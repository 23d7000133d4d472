import { vectorSuite } from '../vector-suite.js';

vectorSuite('execution-paths.yaml');
