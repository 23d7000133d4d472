import { vectorSuite } from '../vector-suite.js';

vectorSuite('scoring-references.yaml');
