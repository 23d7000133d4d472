import { describe, expect, test } from '@jest/globals';
import { imageRights } from './image-rights.js';

const NONE = { rootInImages: false, imageBuilds: false, networkInBuilds: false };
const ALL = { rootInImages: true, imageBuilds: true, networkInBuilds: true };
const plain = { hasUserNamespaces: false, isGvisor: false, isRuntimeChosen: false };

describe('the rights of images on a Docker daemon', () => {
  test('where nothing isolates root both lines name the two ways to get it', () => {
    const rights = imageRights({ ...plain, capabilities: NONE });
    expect(rights.map(({ isOn, detail }) => [isOn, detail.split(':')[0]])).toEqual([
      [false, 'root in images'],
      [false, 'Dockerfiles'],
    ]);
    for (const { fix } of rights) expect(fix).toMatch(/userns-remap.*SANDBOX_ROOT_IN_IMAGES=true/);
  });

  test('with user namespaces both are on, and only the network of builds is left to set', () => {
    const capabilities = { ...ALL, networkInBuilds: false };
    const [root, builds] = imageRights({ ...plain, hasUserNamespaces: true, capabilities });
    expect(root).toEqual({ isOn: true, detail: expect.stringContaining('user namespaces') });
    expect(builds).toMatchObject({ isOn: true, fix: expect.stringContaining('SANDBOX_BUILD_NETWORK=host') });
  });

  test('by the setting alone the lines state whose root it is, and nothing is left to set', () => {
    for (const { detail, fix } of imageRights({ ...plain, capabilities: ALL })) {
      expect(detail).toContain('root of the machine');
      expect(fix).toBeUndefined();
    }
  });

  test('on gVisor root in images is off for its reason', () => {
    const capabilities = { ...ALL, rootInImages: false };
    const [root, builds] = imageRights({ ...plain, isGvisor: true, capabilities });
    expect(root).toMatchObject({ isOn: false, detail: expect.stringContaining('gVisor') });
    expect(builds).toMatchObject({ isOn: true, detail: expect.stringContaining('that of gVisor') });
  });
});
