import { vectorSuite } from '../vector-suite.js';

vectorSuite('execution-arguments.yaml');
