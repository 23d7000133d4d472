import { tmpdir } from 'node:os';
import { ABUSE_TESTS, CONFORMANCE_TESTS, sandboxSuite } from '../conformance/suite.js';
import { HostImage } from '../testing/host-image.js';
import { TestProvider } from '../testing/test-provider.js';

const OF_IMAGES = {
  'exec.environment': 'an image has variables of its own; image.spec-environment tests which one wins',
  'snapshot.omits': 'the count includes directories of the root; image.snapshot tests what is taken',
  'snapshot.counts-names': 'the count includes directories of the root',
  'life.refusals': 'a template beside an image is an invalid spec',
  'abuse.fs.host-directories': 'the root is that of the image, whose directories are not those of the host',
};

const AS_USER = {
  'snapshot.hostile-restore': 'the user may not write beside the workspace, so the whole restore is refused',
};

const AS_ROOT = {
  'files.remove': 'root may remove files of the image',
  'snapshot.hostile-restore': 'the whole root is restored; image.hostile-restore tests what is refused',
  'abuse.fs.read-only': 'root may write to the image; image.own-program tests that it cannot reach ours',
  'abuse.priv.status': 'root has some capabilities; image.root-capabilities tests which',
  'abuse.priv.no-new-privileges':
    'root has its capabilities as ambient ones, too; image.root-capabilities tests which, and that none is gained',
  'abuse.priv.no-root': 'root may become another user of the image',
};

for (const [user, runAsRoot, exceptions] of [
  ['a user', false, AS_USER],
  ['root', true, AS_ROOT],
] as const) {
  const machine = new TestProvider();
  let image: HostImage;
  sandboxSuite(
    `an image as ${user} keeps the guarantees of every sandbox`,
    [...CONFORMANCE_TESTS, ...ABUSE_TESTS],
    {
      createProvider: async () => {
        image = await HostImage.make();
        return machine.open({ images: image });
      },
      hostDirectories: tmpdir(),
      spec: () => ({ image: { reference: image.reference, runAsRoot } }),
      exceptions: { ...OF_IMAGES, ...exceptions },
      expectNothingLeft: async () => {
        image.remove();
        await machine.expectNothingLeft();
      },
    },
  );
}
