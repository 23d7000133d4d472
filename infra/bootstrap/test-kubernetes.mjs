// `pnpm test:kubernetes`: the conformance and abuse suites of sandboxes, as pods of a real cluster.
//   AGENTCLASH_TEST_KUBECONFIG       the cluster, with a user of cluster-admin's rights who has a token
//   AGENTCLASH_TEST_LOAD             a command that gives nodes an image archive, which is appended to it, such as
//                                    `kind load image-archive`; without it the images must be there or can be pulled
//   AGENTCLASH_TEST_SANDBOX_IMAGE    an image with a shell, git and python3, instead of one made by mmdebstrap
//   AGENTCLASH_TEST_INSIDE_IMAGE     the image `inside`, instead of one that is compiled here
//   AGENTCLASH_TEST_IMAGE            the image that tests of images describe, instead of one made by mmdebstrap
//   AGENTCLASH_TEST_NODE_IS_HERE     `true` where the node reaches servers of the tests on 127.0.0.1, for tests of pulls
//   AGENTCLASH_TEST_NETWORK_POLICIES `true` where the cluster enforces network policies, which the suite then demands
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { caseArchive, insideArchive, sandboxArchive } from '../docker/image-archive.mjs';
import { repository } from './setup/repository.mjs';

/** Of a name that no registry has: what was not loaded is not pulled either. */
const TAG = 'localhost/agentclash-test';

const { AGENTCLASH_TEST_KUBECONFIG: kubeconfig, AGENTCLASH_TEST_LOAD: load } = process.env;
if (kubeconfig === undefined || kubeconfig === '') {
  console.log(
    'skipped: sandboxes as pods need a real cluster, set AGENTCLASH_TEST_KUBECONFIG (docs/kubernetes.md)',
  );
  process.exit(0);
}

const images = {
  AGENTCLASH_TEST_SANDBOX_IMAGE: process.env.AGENTCLASH_TEST_SANDBOX_IMAGE,
  AGENTCLASH_TEST_INSIDE_IMAGE: process.env.AGENTCLASH_TEST_INSIDE_IMAGE,
  AGENTCLASH_TEST_IMAGE: process.env.AGENTCLASH_TEST_IMAGE,
};
if (load) {
  const folder = mkdtempSync(path.join(tmpdir(), 'agentclash-images-'));
  try {
    images.AGENTCLASH_TEST_INSIDE_IMAGE ??= loaded(insideArchive, folder, 'inside');
    images.AGENTCLASH_TEST_SANDBOX_IMAGE ??= loaded(sandboxArchive, folder, 'sandbox');
    images.AGENTCLASH_TEST_IMAGE ??= loaded(caseArchive, folder, 'case');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const jest = ['--experimental-vm-modules', '--no-warnings', 'node_modules/jest/bin/jest.js'];
const suites = ['packages/infra-tests/src/schemas/server-side', 'packages/sandbox/src/kubernetes/real'];
const projects = process.env.AGENTCLASH_NIGHTLY === undefined ? ['int'] : ['int', 'nightly'];
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
