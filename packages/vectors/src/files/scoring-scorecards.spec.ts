import { vectorSuite } from '../vector-suite.js';

vectorSuite('scoring-scorecards.yaml');
