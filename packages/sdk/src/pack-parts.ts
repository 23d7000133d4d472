import type { PackDocument } from './generated/pack-document.js';

export type { PackDocument };

/** Parts of a pack, for helpers that build them. */
export type Challenge = PackDocument['challenges'][number];
export type InputSet = NonNullable<PackDocument['input_sets']>[number];
export type Case = NonNullable<InputSet['cases']>[number];
