import { test } from '@jest/globals';
import { DIRECTORY_TESTS } from '../../conformance/directory-tests.js';
import { ABUSE_TESTS, CONFORMANCE_TESTS, sandboxSuite } from '../../conformance/suite.js';
import { RealCluster } from '../../testing/kubernetes/real-cluster.js';

const { AGENTCLASH_TEST_KUBECONFIG, AGENTCLASH_TEST_IMAGE } = process.env;

const NO_DIRECTORY = 'no directory of this machine is one of the nodes (AGENTCLASH_TEST_PACKAGES_DIR)';
const WITHOUT_DIRECTORY = Object.fromEntries(DIRECTORY_TESTS.map(({ id }) => [id, NO_DIRECTORY]));
const NO_SIZE = 'the root of a container has no size: the node watches it and evicts the pod';

const OF_IMAGES = {
  'exec.environment': 'an image has variables of its own; image.spec-environment tests which one wins',
  'snapshot.omits': 'the count includes directories of the root; image.snapshot tests what is taken',
  'snapshot.counts-names': 'the count includes directories of the root',
  'life.refusals': 'a template beside an image is an invalid spec',
};

const OF_PODS = {
  'files.no-space': NO_SIZE,
  'abuse.fs.full-disks': NO_SIZE,
  'abuse.fs.files': NO_SIZE,
  'abuse.bomb.zip': NO_SIZE,
  'abuse.fs.host-directories': 'the root of a pod is its image, whose directories are not those of the host',
  'abuse.fs.kernel-directories': 'runtimes show pods /sys, read-only, with the cgroup of the pod alone',
  'abuse.res.terminals': 'the kernel of a node counts terminals for all pods; gVisor and Kata have their own',
  'abuse.res.background-bomb':
    'pods of images have the uid of the image: without user namespaces podPidsLimit holds',
  ...(process.env.AGENTCLASH_TEST_NETWORK_POLICIES !== 'true' && {
    'abuse.net.unreachable': 'this cluster enforces no network policies (AGENTCLASH_TEST_NETWORK_POLICIES)',
  }),
};

const AS_USER = {
  'snapshot.hostile-restore': 'the user may not write beside the workspace, so the whole restore is refused',
};

const AS_ROOT = {
  'files.remove': 'root may remove files of the image',
  'snapshot.hostile-restore': 'the whole root is restored; image.hostile-restore tests what is refused',
  'abuse.fs.shadow': 'root reads the password hashes of the image, which are not those of the host',
  'abuse.fs.read-only': 'root may write to the image; image.own-program tests that it cannot reach ours',
  'abuse.priv.status': 'root has some capabilities; image.root-capabilities tests which',
  'abuse.priv.no-root': 'root may become another user of the image',
  'abuse.priv.first-process':
    'root of the node lists the names of its descriptors; image.own-environment tests that it reads nothing',
  'abuse.priv.kernel-files': 'root of the node may set the order in which the kernel ends its own processes',
};

for (const [user, runAsRoot, exceptions] of [
  ['a user', false, AS_USER],
  ['root', true, AS_ROOT],
] as const) {
  const title = `an image in a pod as ${user} keeps the guarantees of every sandbox`;
  if (AGENTCLASH_TEST_KUBECONFIG === undefined || AGENTCLASH_TEST_IMAGE === undefined) {
    test.skip(`${title}: set AGENTCLASH_TEST_KUBECONFIG and AGENTCLASH_TEST_IMAGE (pnpm test:kubernetes)`, () => {});
    continue;
  }
  const cluster = new RealCluster(process.env, 'baseline');
  sandboxSuite(title, [...CONFORMANCE_TESTS, ...ABUSE_TESTS], {
    isQuick: true,
    createProvider: async () => {
      await cluster.start();
      return cluster.open({ allowsRootOfNode: true });
    },
    hostDirectories: cluster.claim?.directory,
    spec: () => ({ image: { reference: cluster.image, runAsRoot } }),
    exceptions: {
      ...OF_IMAGES,
      ...OF_PODS,
      ...exceptions,
      ...(cluster.claim === undefined && WITHOUT_DIRECTORY),
    },
    expectNothingLeft: () => cluster.expectNothingLeft(),
  });
}
