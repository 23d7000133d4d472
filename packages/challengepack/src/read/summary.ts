import type { Draft } from '../decode/shape.js';
import type { Pack } from '../pack/model.js';
import { digestOf } from '../publish/digest.js';
import { manifestOf } from '../publish/manifest.js';

/** A pack at a glance. A member is null when the document cannot be read that far. */
export interface PackSummary {
  slug: string | null;
  number: number | null;
  execution_mode: string | null;
  challenges: number | null;
  input_sets: number | null;
  cases: number | null;
  /** Custom tools. */
  tools: number | null;
  /** Null unless the pack is valid. */
  digest: string | null;
}

export function summaryOf(pack: Draft<Pack>, digest: string | null): PackSummary {
  const sets = pack.input_sets;
  return {
    slug: pack.pack?.slug ?? null,
    number: pack.version?.number ?? null,
    execution_mode: pack.version?.execution_mode ?? null,
    challenges: pack.challenges?.length ?? null,
    input_sets: sets?.length ?? null,
    cases: sets?.reduce((count, set) => count + (set?.cases?.length ?? 0), 0) ?? null,
    tools: pack.tools?.custom?.length ?? 0,
    digest,
  };
}

/** The summary of a document of which nothing could be read. */
export const UNREADABLE: PackSummary = {
  slug: null,
  number: null,
  execution_mode: null,
  challenges: null,
  input_sets: null,
  cases: null,
  tools: null,
  digest: null,
};

/** A valid pack at a glance. */
export function packSummary(pack: Pack): PackSummary {
  return summaryOf(pack, digestOf(manifestOf(pack)));
}
