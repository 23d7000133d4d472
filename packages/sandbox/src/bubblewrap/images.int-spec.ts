import { tmpdir } from 'node:os';
import { IMAGE_TESTS, sandboxSuite } from '../conformance/suite.js';
import { HostImage } from '../testing/host-image.js';
import { TestProvider } from '../testing/test-provider.js';

const machine = new TestProvider();
let image: HostImage;
sandboxSuite('bubblewrap runs images', IMAGE_TESTS, {
  createProvider: async () => {
    image = await HostImage.make();
    return machine.open({ images: image });
  },
  hostDirectories: tmpdir(),
  image: () => image.reference,
  expectNothingLeft: async () => {
    image.remove();
    await machine.expectNothingLeft();
  },
});
