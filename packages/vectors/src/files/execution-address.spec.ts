import { vectorSuite } from '../vector-suite.js';

vectorSuite('execution-address.yaml');
