import { CONFORMANCE_TESTS, sandboxSuite } from '../conformance/suite.js';
import { TestProvider } from './test-provider.js';

const machine = new TestProvider();

sandboxSuite('bubblewrap conforms', CONFORMANCE_TESTS, {
  isQuick: process.env.AGENTCLASH_NIGHTLY === undefined,
  createProvider: () => machine.open(),
  expectNothingLeft: () => machine.expectNothingLeft(),
});
