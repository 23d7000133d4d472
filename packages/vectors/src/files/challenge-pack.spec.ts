import { vectorSuite } from '../vector-suite.js';

vectorSuite('challenge-pack.yaml');
