import { vectorSuite } from '../vector-suite.js';

vectorSuite('execution-http.yaml');
