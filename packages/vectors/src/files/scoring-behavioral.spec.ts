import { vectorSuite } from '../vector-suite.js';

vectorSuite('scoring-behavioral.yaml');
