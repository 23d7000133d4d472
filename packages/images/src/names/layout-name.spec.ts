import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { nameInLayout } from './layout-name.js';
import { tagName } from './reference.js';

const CONTAINERD = 'io.containerd.image.name';
const OCI = 'org.opencontainers.image.ref.name';

test.each([
  [{ [CONTAINERD]: 'registry.invalid/app:v1', [OCI]: 'v1' }, '/x/tools', 'registry.invalid/app:v1'],
  [{ [OCI]: 'registry.invalid/app:v1' }, '/x/tools', 'registry.invalid/app:v1'],
  [{ [OCI]: 'app:v1' }, '/x/tools', 'docker.io/library/app:v1'],
  [{ [CONTAINERD]: 'debian' }, '/x/tools', 'docker.io/library/debian:latest'],
  [{ [OCI]: 'v1' }, '/x/tools', 'docker.io/loaded/tools:v1'],
  [{ [OCI]: 'latest' }, '/x/My tools_2.oci', 'docker.io/loaded/my-tools-2:latest'],
  [{ [OCI]: 'v1' }, 'tools.tar.gz', 'docker.io/loaded/tools:v1'],
  [{ [OCI]: 'no name' }, '/x/---', 'docker.io/loaded/image:latest'],
])('%j in %s is %s', (annotations, origin, expected) => {
  expect(tagName(nameInLayout({ annotations }, origin))).toBe(expected);
});

test('an image without any name has no tag', () => {
  expect(nameInLayout({}, '/x/tools')).not.toHaveProperty('tag');
});

test('any annotation and any name of a file make a name of an image', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (name, origin) => {
      expect(nameInLayout({ annotations: { [OCI]: name } }, origin).repository).toMatch(/^[a-z0-9]/);
    }),
  );
});
