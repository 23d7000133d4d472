import { vectorSuite } from '../vector-suite.js';

vectorSuite('scoring-metrics.yaml');
