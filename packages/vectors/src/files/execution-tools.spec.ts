import { vectorSuite } from '../vector-suite.js';

vectorSuite('execution-tools.yaml');
