import { vectorSuite } from '../vector-suite.js';

vectorSuite('scoring-validators-generation.yaml');
