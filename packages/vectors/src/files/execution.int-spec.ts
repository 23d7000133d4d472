import { vectorSuites } from '../vector-suites.js';

vectorSuites('execution-paths.yaml');
