import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from '@jest/globals';
import { IMAGE_TESTS, sandboxSuite } from '../conformance/suite.js';
import { findProgram } from '../host/config.js';
import { PrivateEngine, withoutDocker } from '../testing/docker/fixture.js';

const DISK_BYTES = 8 * 1024 ** 3;
const TESTS = IMAGE_TESTS.filter(({ id }) =>
  ['image.contents', 'image.snapshot', 'image.apart'].includes(id),
);

function withoutBtrfs(): string | undefined {
  if (findProgram('mkfs.btrfs') === undefined)
    return 'mkfs.btrfs is not installed (apt-get install -y btrfs-progs)';
  if (!readFileSync('/proc/filesystems', 'utf8').includes('btrfs')) return 'this kernel has no btrfs';
  return existsSync('/dev/loop-control') ? undefined : 'this machine has no loop devices';
}

const NAME = 'a daemon on btrfs, whose limits would count the image too, runs images';
const reason = withoutDocker() ?? withoutBtrfs();
if (reason !== undefined) {
  test.skip(`${NAME}, but not here: ${reason}`, () => {});
} else {
  const docker = new PrivateEngine();
  let image = '';
  sandboxSuite(NAME, TESTS, {
    isQuick: true,
    createProvider: async () => {
      const [disk, data] = ['disk', 'data'].map((name) => path.join(docker.directory, name)) as [
        string,
        string,
      ];
      writeFileSync(disk, '');
      truncateSync(disk, DISK_BYTES);
      execFileSync(findProgram('mkfs.btrfs') ?? '', ['--quiet', disk]);
      mkdirSync(data, { mode: 0o711 });
      execFileSync('mount', ['-o', 'loop', disk, data]);
      await docker.start();
      await docker.importImage();
      image = await docker.makeSuiteImage();
      return await docker.open({ allowsRootOfMachine: true });
    },
    image: () => image,
    expectNothingLeft: () => docker.close(),
  });
}
