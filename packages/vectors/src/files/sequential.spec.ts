import { vectorSuites } from '../vector-suites.js';

vectorSuites('data/sequential-vectors.json');
