import type { Manifest, PackHeader } from '../pack/model.js';
import { canonicalJson, digestOf } from './digest.js';

/** The pack of a workspace under the slug that is being published. */
export interface ExistingPack {
  header: Pick<PackHeader, 'name' | 'family'>;
  /** The version with the same number, if there is one. */
  sameNumber?: Manifest;
}

/** The result of publishing. A 409 names what differs: header fields, or top-level members of the manifest. */
export type PublishDecision =
  | { status: 201 }
  | { status: 200 }
  | { status: 409; code: 'pack_metadata_conflict'; changed_fields: HeaderField[] }
  | { status: 409; code: 'version_exists'; changed_sections: ManifestSection[] };

const HEADER_FIELDS = ['name', 'family'] as const;
type HeaderField = (typeof HEADER_FIELDS)[number];

/** The members of a manifest in their order of presentation. */
const SECTIONS = [
  'pack',
  'version',
  'evaluation_spec',
  'challenges',
  'input_sets',
  'tool_policy',
  'filesystem',
  'sandbox',
  'tools',
  'security',
  'modality',
  'interface_spec',
  'scenario',
] as const satisfies readonly (keyof Manifest)[];
type ManifestSection = (typeof SECTIONS)[number];

/** Decides what becomes of a manifest in a workspace that may know its slug: 201 create, 200 nothing to do, 409. */
export function publishDecision(existing: ExistingPack | undefined, incoming: Manifest): PublishDecision {
  if (!existing) return { status: 201 };
  const changedFields = HEADER_FIELDS.filter((field) => existing.header[field] !== incoming.pack[field]);
  if (changedFields.length > 0) {
    return { status: 409, code: 'pack_metadata_conflict', changed_fields: changedFields };
  }
  const { sameNumber } = existing;
  if (!sameNumber) return { status: 201 };
  if (digestOf(sameNumber) === digestOf(incoming)) return { status: 200 };
  const differs = (section: ManifestSection) =>
    sectionText(sameNumber, section) !== sectionText(incoming, section);
  return { status: 409, code: 'version_exists', changed_sections: SECTIONS.filter(differs) };
}

function sectionText(manifest: Manifest, section: ManifestSection): string | undefined {
  const value = manifest[section];
  return value === undefined ? undefined : canonicalJson(value);
}
