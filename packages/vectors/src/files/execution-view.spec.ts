import { vectorSuite } from '../vector-suite.js';

vectorSuite('execution-view.yaml');
