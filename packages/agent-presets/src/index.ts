export { builtinPresets, hasPackages, lockfileDigest, packagesOf } from './builtin.js';
export { LayerError } from './layers/npm-package.js';
export { otherPlatform, platformsOf } from './layers/preset-layers.js';
export { textOfLines } from './output.js';
export { type LockedPackage, PresetError, parsePreset } from './preset.js';
export { type PresetValues, type RenderedProgram, renderPreset } from './render.js';
export type { Preset, PresetPackage, TextSource } from './schema.js';
