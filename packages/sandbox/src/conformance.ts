export { Bench, type SandboxTest } from './conformance/bench.js';
export { CONFORMANCE_TESTS, type SuiteOptions, sandboxSuite } from './conformance/suite.js';
