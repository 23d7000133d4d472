import { vectorSuites } from '../vector-suites.js';

vectorSuites(
  'execution-address.yaml',
  'execution-arguments.yaml',
  'execution-http.yaml',
  'execution-loop.yaml',
  'execution-mocks.yaml',
  'execution-outcomes.yaml',
  'execution-redaction.yaml',
  'execution-redirects.yaml',
  'execution-retry.yaml',
  'execution-secrets.yaml',
  'execution-templating.yaml',
  'execution-tools.yaml',
  'execution-view.yaml',
);
