import type { Pack } from '../model.js';
import { digestOf } from '../publish/digest.js';
import { manifestOf } from '../publish/manifest.js';
import { type PackSummary, summaryOf } from './summary.js';

/** A valid pack at a glance. */
export function packSummary(pack: Pack): PackSummary {
  return summaryOf(pack, digestOf(manifestOf(pack)));
}
