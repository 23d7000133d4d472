import { vectorSuite } from '../vector-suite.js';

vectorSuite('execution-mocks.yaml');
