import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ofKind } from '../manifests/kinds.js';
import { containersOf, workloadsOf } from '../manifests/manifest.js';
import { renderAt } from '../manifests/render.js';
import { repository } from '../repository.js';
import { describeWithKubectl } from '../requirements.js';

/** Replaces the registry: the digest of an image is that of its name. */
const DOCKER = `#!/bin/sh
test "$1 $2 $3" = "buildx imagetools inspect" || exit 64
printf '{"digest":"sha256:%s"}' "$(printf %s "$4" | sha256sum | cut -c1-64)"
`;
const PINNED = /@sha256:[0-9a-f]{64}$/;

describeWithKubectl('the command `pnpm images:pin`', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'agentclash-pins-'));
  beforeAll(() => {
    writeFileSync(path.join(folder, 'docker'), DOCKER, { mode: 0o755 });
    cpSync(path.join(repository, 'infra'), path.join(folder, 'infra'), { recursive: true });
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const pin = (...words: string[]) =>
    execFileSync(process.execPath, [path.join(folder, 'infra/docker/pin.mjs'), ...words], {
      cwd: folder,
      encoding: 'utf8',
      env: { PATH: `${folder}:${process.env.PATH}` },
      stdio: 'pipe',
    });

  test('the command base writes the digest of the base image for builds', () => {
    expect(pin('base')).toContain('--file infra/docker/base.json');
    const base = readFileSync(path.join(folder, 'infra/docker/base.json'), 'utf8');
    expect(JSON.parse(base)).toEqual({
      target: {
        common: {
          args: {
            NODE_IMAGE: expect.stringMatching(/^docker\.io\/library\/node:\d[^@]*@sha256:[0-9a-f]{64}$/),
          },
        },
      },
    });
  });

  test('the command release writes a component in which every image of services and sandboxes has a digest', () => {
    pin('release', 'registry.example.com', 'infra/k8s/components/pinned');
    const own = path.join(folder, 'infra/k8s/overlays/own');
    cpSync(path.join(folder, 'infra/k8s/overlays/prod'), own, { recursive: true });
    // Last, because it renames images of the other components.
    const file = path.join(own, 'kustomization.yaml');
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, `${text}  - ../../components/pinned\n`);
    const manifests = renderAt(own);
    const images = workloadsOf(manifests)
      .flatMap(containersOf)
      .map(({ image }) => image);
    expect(images.length).toBeGreaterThan(12);
    expect(images.filter((image) => !PINNED.test(image))).toEqual([]);
    const settings = ofKind(manifests, 'ConfigMap').flatMap(({ data }) =>
      [data.SANDBOX_IMAGE, data.SANDBOX_INSIDE_IMAGE].filter((image) => image !== undefined),
    );
    expect(settings).toEqual([
      expect.stringMatching(/^registry\.example\.com\/agentclash\/sandbox@sha256:/),
      expect.stringMatching(/^registry\.example\.com\/agentclash\/inside@sha256:/),
    ]);
    expect(new Set([...images, ...settings].map((image) => image.split('@')[1])).size).toBe(9);
  });

  test('the command release writes a compose.yaml that differs by the digest of its image alone', () => {
    pin('release', 'registry.example.com', 'pinned');
    const compose = readFileSync(path.join(folder, 'infra/docker/compose.yaml'), 'utf8');
    const pinned = readFileSync(path.join(folder, 'pinned/compose.yaml'), 'utf8');
    expect(pinned).toMatch(
      /^ {4}image: registry\.example\.com\/agentclash\/all-in-one@sha256:[0-9a-f]{64}$/m,
    );
    const withoutImage = (text: string) => text.replace(/image: .*/, '');
    expect(withoutImage(pinned)).toBe(withoutImage(compose));
  });

  test('an unknown command or missing arguments end with the usage', () => {
    expect(() => pin('release', 'registry.example.com')).toThrow(/usage/);
    expect(() => pin('everything')).toThrow(/usage/);
  });
});
