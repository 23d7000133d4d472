import { vectorSuite } from '../vector-suite.js';

vectorSuite('scoring-gates.yaml');
