import { expect, test } from '@jest/globals';
import { missingCapabilities, refuseUnsupported } from './capabilities.js';
import type { SandboxCapabilities } from './contract.js';

const capabilities: SandboxCapabilities = {
  packages: false,
  templates: ['python-3.12'],
  egressProxy: false,
  hostDirectories: false,
  rawNetwork: false,
  images: false,
  imageBuilds: false,
  rootInImages: false,
  strongIsolation: false,
  groupLimits: true,
  cpuStarvation: 'none',
};

test('a spec that needs nothing special misses nothing', () => {
  expect(
    missingCapabilities({ template: 'python-3.12', packages: [], network: { kind: 'none' } }, capabilities),
  ).toEqual([]);
});

test('all missing capabilities are named', () => {
  const spec = {
    template: 'other',
    packages: ['jq'],
    network: { kind: 'proxied', proxy: { serve: () => {} } },
  } as const;
  expect(missingCapabilities(spec, capabilities)).toEqual(['template other', 'packages', 'egressProxy']);
  expect(() => refuseUnsupported(spec, capabilities)).toThrow(
    expect.objectContaining({ code: 'unsupported', capability: 'template other' }),
  );
});

test('an image that runs as root needs both capabilities', () => {
  const image = { reference: 'debian@sha256:0', runAsRoot: true };
  expect(missingCapabilities({ image }, capabilities)).toEqual(['images', 'rootInImages']);
  expect(missingCapabilities({ image }, { ...capabilities, images: true })).toEqual(['rootInImages']);
  expect(
    missingCapabilities({ image: { ...image, runAsRoot: false } }, { ...capabilities, images: true }),
  ).toEqual([]);
});
