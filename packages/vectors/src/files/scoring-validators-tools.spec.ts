import { vectorSuite } from '../vector-suite.js';

vectorSuite('scoring-validators-tools.yaml');
