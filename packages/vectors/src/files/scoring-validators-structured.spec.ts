import { vectorSuite } from '../vector-suite.js';

vectorSuite('scoring-validators-structured.yaml');
