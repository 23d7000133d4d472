import { expect } from '@jest/globals';
import { CONFORMANCE_TESTS, sandboxSuite } from '../conformance/suite.js';
import { ClusterFixture } from '../testing/kubernetes/fixture.js';

const fixture = new ClusterFixture();
sandboxSuite('kubernetes conforms', CONFORMANCE_TESTS, {
  isQuick: process.env.AGENTCLASH_NIGHTLY === undefined,
  createProvider: async () => {
    await fixture.start();
    return fixture.open({ directories: fixture.claim });
  },
  hostDirectories: fixture.claim.directory,
  exceptions: {
    'life.ping':
      'pods report their own use by their cgroup, which the sandboxes of a fake cluster do not show',
  },
  expectNothingLeft: async () => {
    expect(fixture.cluster.pods.list()).toEqual([]);
    await fixture.close();
  },
});
