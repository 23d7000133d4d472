import { vectorSuite } from '../vector-suite.js';

vectorSuite('scoring-spec-validation.yaml');
