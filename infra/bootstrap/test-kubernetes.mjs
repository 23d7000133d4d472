// `pnpm test:kubernetes`: the suites of sandboxes as pods of a real cluster, and whether it takes the overlays. With
// AGENTCLASH_NIGHTLY=1 also the suites on an image, and races of the overlay `dev` whose images are built here.
// `pnpm test:kubernetes load` gives nodes the images alone, and prints the variables that name them for a later run.
//   AGENTCLASH_TEST_KUBECONFIG       the cluster, with a user of cluster-admin's rights who has a token
//   AGENTCLASH_TEST_LOAD             a command that gives nodes an image archive, which is appended to it, such as
//                                    `kind load image-archive`; without it the images must be there or can be pulled
//   AGENTCLASH_TEST_SANDBOX_IMAGE    an image with a shell, git and python3, instead of one made by mmdebstrap
//   AGENTCLASH_TEST_INSIDE_IMAGE     the image `inside`, instead of one that is compiled here
//   AGENTCLASH_TEST_IMAGE            the image that tests of images describe, instead of one made by mmdebstrap
//   AGENTCLASH_TEST_BUILDER_IMAGE    the image that builds Dockerfiles, instead of one made by mmdebstrap; nightly only
//   AGENTCLASH_TEST_NODE_IS_HERE     `true` where the node reaches servers of the tests on 127.0.0.1, for tests of pulls
//   AGENTCLASH_TEST_BARE_NODE        the address of the one node, on this machine, of a cluster without names, service proxy,
//                                    storage classes and a way to registries: the tests take their place
//   AGENTCLASH_TEST_SERVICE_IMAGES   `loaded` where the nodes have the images of services of an earlier run
//   AGENTCLASH_TEST_GVISOR_CLASS     a RuntimeClass of gVisor, for the suites on it (nightly)
//   AGENTCLASH_TEST_NETWORK_POLICIES `true` where the cluster enforces network policies, which the suite then demands
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { builderArchive, caseArchive, insideArchive, sandboxArchive } from '../docker/image-archive.mjs';
import { repository } from './setup/repository.mjs';

const SOURCES = ['--conditions=agentclash-source', '--import', './packages/testkit/src/jest/typescript.mjs'];

/** Of a name that no registry has: what was not loaded is not pulled either. */
const TAG = 'localhost/agentclash-test';

const { AGENTCLASH_TEST_KUBECONFIG: kubeconfig, AGENTCLASH_TEST_LOAD: load } = process.env;
const isOnlyLoading = process.argv[2] === 'load';
const isNightly = process.env.AGENTCLASH_NIGHTLY !== undefined;
if (!isOnlyLoading && (kubeconfig === undefined || kubeconfig === '')) {
  console.log(
    'skipped: sandboxes as pods need a real cluster, set AGENTCLASH_TEST_KUBECONFIG (docs/kubernetes.md)',
  );
  process.exit(0);
}

const images = {
  AGENTCLASH_TEST_SANDBOX_IMAGE: process.env.AGENTCLASH_TEST_SANDBOX_IMAGE,
  AGENTCLASH_TEST_INSIDE_IMAGE: process.env.AGENTCLASH_TEST_INSIDE_IMAGE,
  AGENTCLASH_TEST_IMAGE: process.env.AGENTCLASH_TEST_IMAGE,
  AGENTCLASH_TEST_BUILDER_IMAGE: process.env.AGENTCLASH_TEST_BUILDER_IMAGE,
  AGENTCLASH_TEST_SERVICE_IMAGES: process.env.AGENTCLASH_TEST_SERVICE_IMAGES,
};
if (load) {
  const folder = mkdtempSync(path.join(tmpdir(), 'agentclash-images-'));
  try {
    images.AGENTCLASH_TEST_INSIDE_IMAGE ??= loaded(insideArchive, folder, 'inside');
    images.AGENTCLASH_TEST_SANDBOX_IMAGE ??= loaded(sandboxArchive, folder, 'sandbox');
    images.AGENTCLASH_TEST_IMAGE ??= loaded(caseArchive, folder, 'case');
    if (isNightly) images.AGENTCLASH_TEST_BUILDER_IMAGE ??= loaded(builderArchive, folder, 'builder');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  if (isNightly) images.AGENTCLASH_TEST_SERVICE_IMAGES ??= loadedServices();
}
if (isOnlyLoading) {
  for (const [name, value] of Object.entries(images)) {
    if (value !== undefined) console.log(`export ${name}=${value}`);
  }
  process.exit(0);
}

const jest = ['--experimental-vm-modules', '--no-warnings', 'node_modules/jest/bin/jest.js'];
const suites = [
  'packages/infra-tests/src/schemas/server-side',
  'packages/infra-tests/src/cluster',
  'packages/sandbox/src/kubernetes/real',
];
const projects = isNightly ? ['int', 'nightly'] : ['int'];
const flags = ['--selectProjects', ...projects, '--runInBand', '--testPathPatterns', ...suites];
const { status } = spawnSync(process.execPath, [...jest, ...flags], {
  cwd: repository,
  stdio: 'inherit',
  env: {
    ...process.env,
    ...Object.fromEntries(Object.entries(images).filter(([, name]) => name !== undefined)),
  },
});
process.exit(status ?? 1);

function loaded(make, folder, which) {
  const name = `${TAG}/${which}:${Date.now()}`;
  const [command, ...words] = load.split(' ');
  execFileSync(command, [...words, make(folder, name)], { stdio: 'inherit' });
  return name;
}

function loadedServices() {
  const script = 'packages/infra-tests/src/cluster/load.ts';
  execFileSync(process.execPath, ['--no-warnings', ...SOURCES, script, load], {
    cwd: repository,
    stdio: 'inherit',
  });
  return 'loaded';
}
