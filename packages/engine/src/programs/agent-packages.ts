import path from 'node:path';
import { builtinPresets, LayerError, lockfileDigest, otherPlatform } from '@agentclash/agent-presets';
import { NpmLayers } from '@agentclash/agent-presets/layers';
import { layersOfPreset, NODE_IN_LAYER, thisPlatform } from '@agentclash/agent-presets/preset-layers';
import type { PlannedPreset } from '@agentclash/attempt-plan';
import { type HostDirectory, type SandboxProvider, sharedPackagesDirectory } from '@agentclash/sandbox';
import { AttemptEnded } from '../outcome/attempt-end.js';
import { NODE_DIRECTORY, packagesDirectory } from './preset-program.js';

type SandboxOpener = Pick<SandboxProvider, 'name' | 'create' | 'capabilities'>;

/** The packages of coding agents on this machine, made at their first use. */
export class AgentPackages {
  private opened: NpmLayers | undefined;

  constructor(
    private readonly options: { directory: string | undefined; registry: string; token?: string | undefined },
  ) {}

  /** Opened at the first use: a container may have no home directory, and no coding agents. */
  private get layers(): NpmLayers {
    const { directory = userDirectory(), ...source } = this.options;
    this.opened ??= new NpmLayers({ directory, ...source });
    return this.opened;
  }

  /** The provider, with sandboxes that keep the packages which they show until they have ended. */
  kept(provider: SandboxOpener): SandboxOpener {
    const { name, capabilities } = provider;
    return {
      name,
      capabilities,
      create: async (spec, options) => {
        const shown = (spec.directories ?? []).map(({ source }) => source);
        if (shown.length === 0) return await provider.create(spec, options);
        const end = await this.use(shown);
        try {
          const session = await provider.create(spec, options);
          void session.ended.then(end);
          return session;
        } catch (error) {
          await end();
          throw error;
        }
      },
    };
  }

  private async use(directories: readonly string[]): Promise<() => Promise<void>> {
    try {
      return await this.layers.use(directories);
    } catch (error) {
      throw error instanceof LayerError ? ended(error.message, error.isPermanent) : error;
    }
  }

  /** Throws AttemptEnded when a package cannot be had. */
  async directoriesOf(preset: PlannedPreset, signal: AbortSignal): Promise<HostDirectory[]> {
    const { definition, lockfile_sha256 } = preset;
    if (lockfileDigest(definition) !== lockfile_sha256) {
      throw ended(
        `the executor has another release of the preset ${definition.name}: run executors of the release of the other services`,
      );
    }
    const platform = otherPlatform(definition, thisPlatform());
    if (platform !== undefined) {
      throw ended(
        `${definition.name} runs on ${platform} only, and this executor is ${thisPlatform()}: add an executor on ${platform}`,
      );
    }
    try {
      const layers = layersOfPreset(definition).map(async ({ holds, content }) => {
        const { root } = await this.layers.ensure(content, { signal });
        return holds === 'node'
          ? { source: path.join(root, NODE_IN_LAYER), path: NODE_DIRECTORY }
          : { source: root, path: packagesDirectory(preset) };
      });
      return await Promise.all(layers);
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof LayerError)) throw error;
      const { message, isPermanent } = error;
      throw ended(isPermanent ? message : `${message}. ${installedAhead(definition.name)}`, isPermanent);
    }
  }
}

/** The next step for an executor that the registry does not serve. */
function installedAhead(preset: string): string {
  const install = `agentclash agents install ${builtinPresets().has(preset) ? preset : 'FILE'}`;
  return `Without a registry: run "${install}" where there is one, and give this executor that folder by AGENT_PACKAGES_DIR`;
}

function userDirectory(): string {
  try {
    return sharedPackagesDirectory();
  } catch {
    throw ended('the executor has no place for packages of coding agents: set AGENT_PACKAGES_DIR');
  }
}

function ended(message: string, isPermanent = true): AttemptEnded {
  return new AttemptEnded({ because: 'infra', code: 'agent_packages', message, isPermanent });
}
