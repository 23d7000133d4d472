import { assetsOf, type Manifest, publishDecision } from '@agentclash/challengepack';
import { ContractError } from '@agentclash/contracts';
import type { KnownSlug, VersionIds } from './packs.store.js';

/** Whether to write the manifest, or the ids it was published under. Fails where it conflicts with the existing pack. */
export function outcomeOf(known: KnownSlug | undefined, incoming: Manifest): 'write' | VersionIds {
  const sameNumber = known?.sameNumber;
  const existing = known && {
    header: { name: known.name, family: known.family },
    ...(sameNumber && { sameNumber: JSON.parse(sameNumber.manifest) as Manifest }),
  };
  const decision = publishDecision(existing, incoming);
  const { slug } = incoming.pack;
  if (decision.status === 201) return 'write';
  if (decision.status === 200 && sameNumber !== undefined) return sameNumber.ids;
  if (decision.status === 409 && decision.code === 'pack_metadata_conflict') {
    const changed = decision.changed_fields.map((field) => `${field} "${known?.[field]}"`).join(' and ');
    throw new ContractError('pack_metadata_conflict', `The pack ${slug} exists with ${changed}.`, {
      changed_fields: decision.changed_fields,
    });
  }
  const sections =
    decision.status === 409 && decision.code === 'version_exists' ? decision.changed_sections : [];
  const { number } = incoming.version;
  const counts = assetsOf(incoming).length > 0 ? ' A changed file beside the pack counts.' : '';
  throw new ContractError(
    'version_exists',
    `${slug} version ${number} was published with another content of ${sections.join(', ')}.${counts} Publish under a new number.`,
    { changed_sections: sections },
  );
}
