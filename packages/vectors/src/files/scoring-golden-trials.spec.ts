import { vectorSuite } from '../vector-suite.js';

vectorSuite('scoring-golden-trials.json');
