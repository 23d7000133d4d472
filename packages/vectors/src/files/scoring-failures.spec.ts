import { vectorSuite } from '../vector-suite.js';

vectorSuite('scoring-failures.yaml');
