import { vectorSuite } from '../vector-suite.js';

vectorSuite('scoring-validators-text.yaml');
