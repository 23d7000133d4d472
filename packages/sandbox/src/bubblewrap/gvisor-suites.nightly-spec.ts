import { tmpdir } from 'node:os';
import { test } from '@jest/globals';
import { ABUSE_TESTS, CONFORMANCE_TESTS, IMAGE_TESTS, sandboxSuite } from '../conformance/suite.js';
import { findTestRunsc, GVISOR_EXCEPTIONS, GVISOR_TESTS } from '../testing/gvisor/fixture.js';
import { HostImage } from '../testing/host-image.js';
import { TestProvider } from '../testing/test-provider.js';

const found = findTestRunsc();
const SUITES = [
  ['gVisor conforms', CONFORMANCE_TESTS, GVISOR_EXCEPTIONS.conformance],
  ['gVisor withstands abuse', [...ABUSE_TESTS, ...GVISOR_TESTS], GVISOR_EXCEPTIONS.abuse],
  ['gVisor runs images', IMAGE_TESTS, GVISOR_EXCEPTIONS.images],
] as const;

for (const [name, tests, exceptions] of SUITES) {
  if ('skipped' in found) {
    test.skip(`${name} where it runs, which is not so here: ${found.skipped}`, () => {});
    continue;
  }
  const machine = new TestProvider();
  let image: HostImage;
  sandboxSuite(name, tests, {
    createProvider: async () => {
      image = await HostImage.make();
      return machine.open({ isolation: 'gvisor', runsc: found.program, images: image });
    },
    hostDirectories: tmpdir(),
    image: () => image.reference,
    exceptions,
    expectNothingLeft: async () => {
      image.remove();
      await machine.expectNothingLeft();
    },
  });
}
