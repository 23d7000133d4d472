import { expect } from '@jest/globals';
import { ABUSE_TESTS, CONFORMANCE_TESTS, sandboxSuite } from '../conformance/suite.js';
import { ClusterFixture } from '../testing/kubernetes/fixture.js';

const SAME_USER =
  'in a pod commands and the process inside are one user: who kills all of it ends the sandbox';
/** A quarter of a gigabyte of names through a fake cluster's streams: the same code runs for bubblewrap every time. */
const LONG: Record<string, string> =
  process.env.AGENTCLASH_NIGHTLY === undefined
    ? { 'abuse.bomb.snapshot': 'takes long here: set AGENTCLASH_NIGHTLY' }
    : {};
const OF_THE_NODE = 'the kernel and the runtime of a node decide; a fake cluster says nothing of them';

const conforming = new ClusterFixture();
sandboxSuite('kubernetes conforms', CONFORMANCE_TESTS, {
  createProvider: async () => {
    await conforming.start();
    return conforming.open();
  },
  exceptions: { 'life.ping': 'pods have no figures of their own use' },
  expectNothingLeft: async () => {
    expect(conforming.cluster.pods.list()).toEqual([]);
    await conforming.close();
  },
});

const abused = new ClusterFixture();
sandboxSuite('kubernetes withstands abuse', ABUSE_TESTS, {
  createProvider: async () => {
    await abused.start();
    return abused.open();
  },
  exceptions: {
    ...LONG,
    'abuse.priv.kill-everything': SAME_USER,
    'abuse.priv.first-process': SAME_USER,
    'abuse.ctl.no-answer': SAME_USER,
    'abuse.res.cpu': 'pods have no figures of their own use',
    'abuse.res.memory-of-many': OF_THE_NODE,
    'abuse.res.memory': `pods have no figures of their own use, and ${OF_THE_NODE}`,
  },
  expectNothingLeft: async () => {
    expect(abused.cluster.pods.list()).toEqual([]);
    await abused.close();
  },
});
