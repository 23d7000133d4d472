export { builtinPresets, hasPackages, lockfileDigest, packagesOf } from './builtin.js';
export { LayerError } from './layers/npm-package.js';
export { otherPlatform, platformsOf } from './layers/preset-layers.js';
export { textOfLines } from './output.js';
export { PresetError, parsePreset } from './preset.js';
export { type RenderedProgram, renderPreset } from './render.js';
export type { Preset, TextSource } from './schema.js';
