import { vectorSuites } from '../vector-suites.js';

vectorSuites(
  'scoring-validators-code.yaml',
  'scoring-validators-files.yaml',
  'scoring-validators-generation.yaml',
  'scoring-validators-numbers.yaml',
  'scoring-validators-structured.yaml',
  'scoring-validators-text.yaml',
  'scoring-validators-tools.yaml',
);
