import { expect, test } from '@jest/globals';
import { reportOf } from './api-probe.js';

test('the report of a probe has the quantiles of all requests, and each kind of failure with its number', () => {
  const probes = Array.from({ length: 100 }, (_, at) => ({ request: 'GET runs', status: 200, ms: at + 1 }));
  const failed = [0, 503, 503].map((status) => ({ request: 'POST tools', status, ms: 50 }));
  expect(reportOf(probes)).toEqual({ requests: 100, p50Ms: 50, p99Ms: 99, failures: {} });
  expect(reportOf([...probes, ...failed]).failures).toEqual({ 'POST tools: 0': 1, 'POST tools: 503': 2 });
});
