import { expect } from '@jest/globals';
import { ABUSE_TESTS, sandboxSuite } from '../conformance/suite.js';
import { ClusterFixture } from '../testing/kubernetes/fixture.js';

const OF_THE_NODE = 'the kernel and the runtime of a node decide; a fake cluster proves nothing about them';

const fixture = new ClusterFixture();
sandboxSuite('kubernetes withstands abuse', ABUSE_TESTS, {
  isQuick: process.env.AGENTCLASH_NIGHTLY === undefined,
  createProvider: async () => {
    await fixture.start();
    return fixture.open();
  },
  exceptions: {
    'abuse.fs.files': 'a volume of a pod has a size and no number of files',
    'abuse.res.cpu': `pods report their own use by their cgroup, and ${OF_THE_NODE}`,
    'abuse.res.memory-of-many': OF_THE_NODE,
    'abuse.res.memory': OF_THE_NODE,
  },
  expectNothingLeft: async () => {
    expect(fixture.cluster.pods.list()).toEqual([]);
    await fixture.close();
  },
});
