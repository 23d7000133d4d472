export { checkPreset } from './check-preset.js';
export { directoriesOfLayers } from './directories.js';
export type { PresetCheck } from './findings.js';
