import { vectorSuite } from '../vector-suite.js';

vectorSuite('execution-templating.yaml');
