import { FieldPath } from '../decode/field-path.js';
import type { PackCheck } from './pack-check.js';

/** The voice blocks mean nothing without the modality. */
export function checkVoice(check: PackCheck): void {
  const modality = FieldPath.root.field('modality');
  if (check.pack.modality !== undefined || check.isUndecodable(modality)) return;
  const blocks = ['interface_spec', 'scenario'].map((name) => FieldPath.root.field(name));
  if (blocks.some((block) => check.isWritten(block)))
    check.require(modality, 'a voice pack declares modality: voice');
}
