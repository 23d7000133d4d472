import { vectorSuite } from '../vector-suite.js';

vectorSuite('execution-loop.yaml');
