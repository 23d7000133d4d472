import { vectorSuites } from '../vector-suites.js';

vectorSuites(
  'scoring-aggregate.yaml',
  'scoring-behavioral.yaml',
  'scoring-comparison.yaml',
  'scoring-failures.yaml',
  'scoring-gates.yaml',
  'scoring-golden-trials.json',
  'scoring-judges.yaml',
  'scoring-metrics.yaml',
  'scoring-ranking.yaml',
  'scoring-references.yaml',
  'scoring-scorecards.yaml',
  'scoring-spec-validation.yaml',
);
