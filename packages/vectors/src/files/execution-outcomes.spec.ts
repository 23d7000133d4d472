import { vectorSuite } from '../vector-suite.js';

vectorSuite('execution-outcomes.yaml');
