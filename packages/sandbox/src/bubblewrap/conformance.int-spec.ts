import { CONFORMANCE_TESTS, sandboxSuite } from '../conformance/suite.js';
import { TestProvider } from './test-provider.js';

const machine = new TestProvider();

sandboxSuite('bubblewrap conforms', CONFORMANCE_TESTS, {
  createProvider: () => machine.open(),
  expectNothingLeft: () => machine.expectNothingLeft(),
});
