import { thisPlatform } from '@agentclash/agent-presets/preset-layers';
import type { SandboxProvider } from '@agentclash/sandbox';

/** The abilities of the sandboxes of this process, as an executor reports them. Opens a sandbox for each image where that is needed. */
export async function sandboxAbilities(sandboxes: SandboxProvider) {
  const {
    packages,
    templates,
    egressProxy,
    hostDirectories,
    images: runsImages,
    rootInImages,
    imageBuilds,
    networkInBuilds = false,
  } = sandboxes.capabilities;
  const images = [null, ...templates].map(async (template) => ({
    template,
    packages: [...(await sandboxes.installedPackages(template ?? undefined))].sort(),
    installs: sandboxes.installsPackages(template ?? undefined),
    ...(sandboxes.interpreters && { interpreters: [...sandboxes.interpreters(template ?? undefined)] }),
  }));
  return {
    provider: sandboxes.name,
    capabilities: {
      packages,
      egress_proxy: egressProxy,
      agent_packages: hostDirectories,
      images: runsImages,
      root_in_images: rootInImages,
      image_builds: imageBuilds,
      network_in_builds: networkInBuilds,
      platform: thisPlatform(),
    },
    images: await Promise.all(images),
  };
}
