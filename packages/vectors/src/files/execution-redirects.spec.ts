import { vectorSuite } from '../vector-suite.js';

vectorSuite('execution-redirects.yaml');
