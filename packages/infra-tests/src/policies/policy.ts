import type { Manifest } from '../manifests/manifest.js';

/** Looks at all that would be applied together; returns what breaks it, by object. */
export type Policy = (manifests: readonly Manifest[]) => string[];
