import { DIRECTORY_TESTS } from '../conformance/directory-tests.js';
import { CONFORMANCE_TESTS, sandboxSuite } from '../conformance/suite.js';
import { E2bFixture } from '../testing/e2b/fixture.js';

const BY_TEMPLATE = 'the template decides the size of the disk';

const ELSEWHERE = 'a machine of the service has no directory of this one: its template brings the agent';

const fixture = new E2bFixture();
sandboxSuite('e2b conforms', CONFORMANCE_TESTS, {
  isQuick: process.env.AGENTCLASH_NIGHTLY === undefined,
  createProvider: () => fixture.open(),
  expectNothingLeft: () => fixture.expectNothingLeft(),
  exceptions: {
    'files.no-space': BY_TEMPLATE,
    'files.as-large-as-artifacts': BY_TEMPLATE,
    ...Object.fromEntries(DIRECTORY_TESTS.map(({ id }) => [id, ELSEWHERE])),
    'life.ping': 'the service gives no figures of a sandbox that could be trusted',
  },
});
