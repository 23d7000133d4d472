import { vectorSuite } from '../vector-suite.js';

vectorSuite('scoring-aggregate.yaml');
