import { vectorSuite } from '../vector-suite.js';

vectorSuite('scoring-judges.yaml');
