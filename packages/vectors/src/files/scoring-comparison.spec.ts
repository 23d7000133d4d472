import { vectorSuite } from '../vector-suite.js';

vectorSuite('scoring-comparison.yaml');
