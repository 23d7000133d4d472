import { vectorSuite } from '../vector-suite.js';

vectorSuite('execution-redaction.yaml');
