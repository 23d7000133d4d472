import { vectorSuite } from '../vector-suite.js';

vectorSuite('scoring-ranking.yaml');
