import { CONFORMANCE_TESTS, sandboxSuite } from '../../conformance/suite.js';
import { TestProvider } from '../test-provider.js';

const EXCEPTIONS = {
  'exec.exit-codes': 'an exit code above 128 is taken for a signal',
  'exec.background': 'commands share files, not processes: what one leaves running ends with it',
  'files.no-space': 'the disk is not limited, as the provider says when it starts',
  'snapshot.omits': 'a file larger than the disk cannot even be made',
};

const machine = new TestProvider();
sandboxSuite('bubblewrap without a compiler conforms', CONFORMANCE_TESTS, {
  isQuick: process.env.AGENTCLASH_NIGHTLY === undefined,
  createProvider: () => machine.open({ compiler: null }),
  expectNothingLeft: () => machine.expectNothingLeft(),
  exceptions: EXCEPTIONS,
});
