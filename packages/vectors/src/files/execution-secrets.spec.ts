import { vectorSuite } from '../vector-suite.js';

vectorSuite('execution-secrets.yaml');
