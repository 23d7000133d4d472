import { STARVATION_TESTS } from '../conformance/starvation-tests.js';
import { sandboxSuite } from '../conformance/suite.js';
import { TestProvider } from '../testing/test-provider.js';

const machine = new TestProvider();

sandboxSuite('bubblewrap without cgroups measures starvation', STARVATION_TESTS, {
  createProvider: () => machine.open({ level: 'basic' }),
  expectNothingLeft: () => machine.expectNothingLeft(),
});
