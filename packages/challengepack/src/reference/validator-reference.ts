import type { ValidatorType } from '../evaluation-spec/validator-configs.js';
import { GENERATED_TEXT_ENTRIES } from './generated-text-entries.js';
import { NUMBER_ENTRIES } from './number-entries.js';
import { STRUCTURED_ENTRIES } from './structured-entries.js';
import { TEXT_ENTRIES } from './text-entries.js';
import type { ValidatorEntry } from './validator-entry.js';
import { WORKSPACE_ENTRIES } from './workspace-entries.js';

/** Every validator type, in the order of the format. */
export const VALIDATOR_REFERENCE: { readonly [T in ValidatorType]: ValidatorEntry } = {
  ...TEXT_ENTRIES,
  ...NUMBER_ENTRIES,
  ...GENERATED_TEXT_ENTRIES,
  ...STRUCTURED_ENTRIES,
  ...WORKSPACE_ENTRIES,
};
