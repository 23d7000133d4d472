import { vectorSuites } from '../vector-suites.js';

vectorSuites('challenge-pack.yaml');
