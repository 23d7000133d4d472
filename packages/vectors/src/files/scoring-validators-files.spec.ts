import { vectorSuite } from '../vector-suite.js';

vectorSuite('scoring-validators-files.yaml');
