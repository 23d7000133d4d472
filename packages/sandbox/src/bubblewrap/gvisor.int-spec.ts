import { tmpdir } from 'node:os';
import { expect, test } from '@jest/globals';
import { ABUSE_TESTS, CONFORMANCE_TESTS, sandboxSuite } from '../conformance/suite.js';
import { findTestRunsc, GVISOR_TESTS } from '../testing/gvisor/fixture.js';
import { TestProvider } from '../testing/test-provider.js';

/** The rest is that of `gvisor-suites.nightly-spec.ts`. */
const DAILY = [
  ...['exec.exit-codes', 'exec.timeout', 'files.round-trip', 'snapshot.round-trip', 'life.lease'],
  ...['directories.read-only', 'listener.parted', 'proxy.http'],
  ...['abuse.fs.shadow', 'abuse.priv.syscalls', 'abuse.net.unreachable', 'abuse.ctl.destroy-bomb'],
  ...['gvisor.kernel', 'gvisor.first-process', 'gvisor.memory'],
];

const ALL = [...CONFORMANCE_TESTS, ...ABUSE_TESTS, ...GVISOR_TESTS];
const NAME = 'gVisor as the isolation of local sandboxes';
const found = findTestRunsc();
if ('skipped' in found) {
  test.skip(`gVisor isolates local sandboxes, but not here: ${found.skipped}`, () => {});
} else {
  const machine = new TestProvider();
  sandboxSuite(
    NAME,
    ALL.filter(({ id }) => DAILY.includes(id)),
    {
      isQuick: true,
      createProvider: async () => {
        const provider = await machine.open({ isolation: 'gvisor', runsc: found.program });
        expect(provider).toMatchObject({ name: 'gvisor', isolation: 'full' });
        expect(provider.capabilities).toMatchObject({ strongIsolation: true, groupLimits: true });
        return provider;
      },
      hostDirectories: tmpdir(),
      expectNothingLeft: () => machine.expectNothingLeft(),
    },
  );
}

test('every test of a day is one of the suites', () => {
  const ids = new Set(ALL.map(({ id }) => id));
  expect(DAILY.filter((id) => !ids.has(id))).toEqual([]);
});
