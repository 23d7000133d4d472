import { ABUSE_TESTS, CONFORMANCE_TESTS, sandboxSuite } from '../../conformance/suite.js';
import { TestProvider } from '../test-provider.js';

const NO_TIES = 'commands share files, not processes: what one leaves running ends with it';
const NO_DISK_LIMIT = 'the disk is not limited, as the provider says when it starts';
const NO_GIANTS = 'a file larger than the disk cannot even be made';
const OWN_INSIDE = 'there is no process inside that could be attacked or spoken for';

const CONFORMANCE_EXCEPTIONS = {
  'exec.exit-codes': 'an exit code above 128 is taken for a signal',
  'exec.background': NO_TIES,
  'files.no-space': NO_DISK_LIMIT,
  'snapshot.omits': NO_GIANTS,
};

const ABUSE_EXCEPTIONS = {
  'abuse.bomb.snapshot': 'a hundred thousand files on a disk that is not limited take longer than a test may',
  'abuse.fs.endless-files': NO_GIANTS,
  'abuse.fs.swap': NO_TIES,
  'abuse.fs.full-disks': NO_DISK_LIMIT,
  'abuse.fs.bombs': NO_DISK_LIMIT,
  'abuse.priv.first-process': OWN_INSIDE,
  'abuse.priv.kernel-files':
    'the first process belongs to the commands, so they may set its chance to be killed',
  'abuse.res.background-bomb': NO_TIES,
};

const conforming = new TestProvider();
sandboxSuite('bubblewrap without a compiler conforms', CONFORMANCE_TESTS, {
  createProvider: () => conforming.open({ compiler: null }),
  expectNothingLeft: () => conforming.expectNothingLeft(),
  exceptions: CONFORMANCE_EXCEPTIONS,
});

const abused = new TestProvider();
sandboxSuite('bubblewrap without a compiler withstands abuse', ABUSE_TESTS, {
  createProvider: () => abused.open({ compiler: null }),
  expectNothingLeft: () => abused.expectNothingLeft(),
  exceptions: ABUSE_EXCEPTIONS,
});
