export { Bench, type SandboxTest } from './conformance/bench.js';
export { ABUSE_TESTS, CONFORMANCE_TESTS, type SuiteOptions, sandboxSuite } from './conformance/suite.js';
