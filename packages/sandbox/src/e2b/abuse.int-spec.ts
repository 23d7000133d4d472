import { ABUSE_TESTS, sandboxSuite } from '../conformance/suite.js';
import { E2bFixture } from '../testing/e2b/fixture.js';

const SAME_USER =
  'in a machine commands and the process inside are one user: who kills all of it ends the sandbox';
const BY_TEMPLATE = 'the template decides how much memory there is, and the service does not report its use';

const fixture = new E2bFixture();
sandboxSuite('e2b withstands abuse', ABUSE_TESTS, {
  isQuick: process.env.AGENTCLASH_NIGHTLY === undefined,
  createProvider: () => fixture.open(),
  expectNothingLeft: () => fixture.expectNothingLeft(),
  exceptions: {
    'abuse.fs.files': 'the disk of the template decides how many files there may be',
    'abuse.priv.kill-everything': SAME_USER,
    'abuse.priv.signals': SAME_USER,
    'abuse.ctl.no-answer': SAME_USER,
    'abuse.res.memory': BY_TEMPLATE,
    'abuse.res.memory-of-many': BY_TEMPLATE,
    'abuse.res.cpu': 'the service gives no figures of a sandbox that could be trusted',
  },
});
