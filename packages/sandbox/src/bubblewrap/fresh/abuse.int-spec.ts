import { ABUSE_TESTS, sandboxSuite } from '../../conformance/suite.js';
import { TestProvider } from '../test-provider.js';

const NO_TIES = 'commands share files, not processes: what one leaves running ends with it';
const NO_DISK_LIMIT = 'the disk is not limited, as the provider says when it starts';
const NO_GIANTS = 'a file larger than the disk cannot even be made';
const OWN_INSIDE = 'there is no process inside that could be attacked or spoken for';

const EXCEPTIONS = {
  'abuse.bomb.snapshot': 'a hundred thousand files on a disk that is not limited take longer than a test may',
  'abuse.fs.endless-files': NO_GIANTS,
  'abuse.fs.swap': NO_TIES,
  'abuse.fs.full-disks': NO_DISK_LIMIT,
  'abuse.fs.files': NO_DISK_LIMIT,
  'abuse.fs.bombs': NO_DISK_LIMIT,
  'abuse.priv.first-process': OWN_INSIDE,
  'abuse.priv.kernel-files':
    'the first process belongs to the commands, so they may set its chance to be killed',
  'abuse.res.background-bomb': NO_TIES,
  'abuse.res.terminals': 'pseudo-terminals are limited by the launcher, which needs a compiler',
};

const machine = new TestProvider();
sandboxSuite('bubblewrap without a compiler withstands abuse', ABUSE_TESTS, {
  isQuick: process.env.AGENTCLASH_NIGHTLY === undefined,
  createProvider: () => machine.open({ compiler: null }),
  expectNothingLeft: () => machine.expectNothingLeft(),
  exceptions: EXCEPTIONS,
});
