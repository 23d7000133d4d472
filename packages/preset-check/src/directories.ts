import path from 'node:path';
import type { Preset } from '@agentclash/agent-presets';
import type { InstalledLayer } from '@agentclash/agent-presets/layers';
import { NODE_IN_LAYER } from '@agentclash/agent-presets/preset-layers';
import { NODE_DIRECTORY, packagesDirectory } from '@agentclash/engine';
import type { HostDirectory } from '@agentclash/sandbox';

/** The installed layers of a preset as the directories that its sandbox shows. */
export function directoriesOfLayers(definition: Preset, layers: readonly InstalledLayer[]): HostDirectory[] {
  return layers.map(({ name, root }) =>
    name === definition.name
      ? { source: root, path: packagesDirectory({ definition }) }
      : { source: path.join(root, NODE_IN_LAYER), path: NODE_DIRECTORY },
  );
}
