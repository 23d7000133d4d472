import {
  type Pack as AuthoredPack,
  canonicalJson,
  digestOf,
  type Manifest,
  manifestOf,
  type PackReading,
  publishDecision,
  readPack,
  storedCases,
} from '@agentclash/challengepack';
import {
  ContractError,
  type In,
  type InputSet,
  type Out,
  type Pack,
  type PackVersion,
  type Problem,
  type packs,
  Uuid,
} from '@agentclash/contracts';
import { Blobs } from '@agentclash/service-kit';
import { Injectable } from '@nestjs/common';
import { ArtifactsStore } from '../artifacts/artifacts.store.js';
import { canMove } from './lifecycle.js';
import { type KnownSlug, type NewVersion, PacksStore, type VersionIds } from './packs.store.js';
import { unstorableName } from './storable.js';

const UUIDS = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi;

@Injectable()
export class PacksService {
  constructor(
    private readonly store: PacksStore,
    private readonly artifacts: ArtifactsStore,
    private readonly blobs: Blobs,
  ) {}

  async validate(ask: In<typeof packs.validate>): Promise<Out<typeof packs.validate>> {
    const { valid, problems, summary } = await this.read(ask);
    return {
      valid,
      errors: ofSeverity(problems, 'error'),
      warnings: ofSeverity(problems, 'warning'),
      summary,
    };
  }

  /** Publishes a valid document; the same content under the same slug and number is the same version. */
  async publish(ask: In<typeof packs.publish>): Promise<Out<typeof packs.publish>> {
    const reading = await this.read(ask);
    if (!reading.valid) throw invalidPack(reading.problems);
    const { pack, problems, summary } = reading;
    const unstorable = unstorableName(pack);
    if (unstorable !== undefined) throw unstorableText(unstorable);
    const manifest = manifestOf(pack);
    const bundle = await this.storeBundle(ask, pack);
    const version = newVersion({
      pack,
      manifest,
      summary: JSON.stringify(summary),
      bundle,
      actor: ask.actor,
    });
    let created = true;
    const ids = await this.store.publish(ask.workspace_id, version, (known) => {
      const decision = decide(known, manifest);
      created = decision === 'write';
      return decision;
    });
    return {
      created,
      challenge_pack_id: ids.packId,
      challenge_pack_version_id: ids.versionId,
      evaluation_spec_id: ids.evaluationSpecId,
      input_set_ids: ids.inputSets.map(({ id }) => id),
      input_sets: ids.inputSets,
      bundle_artifact_id: ids.bundleArtifactId,
      version_number: version.number,
      digest: version.digest,
      warnings: ofSeverity(problems, 'warning'),
    };
  }

  async list({
    workspace_id,
    limit,
    cursor,
    ...filter
  }: In<typeof packs.list>): Promise<Out<typeof packs.list>> {
    return await this.store.list(workspace_id, filter, { limit, cursor });
  }

  async get(workspaceId: string, idOrSlug: string): Promise<Pack> {
    const by = Uuid.safeParse(idOrSlug).success ? { id: idOrSlug } : { slug: idOrSlug };
    const pack = await this.store.find(workspaceId, by);
    if (pack === undefined) throw new ContractError('not_found', `There is no challenge pack ${idOrSlug}.`);
    return pack;
  }

  async getVersion(workspaceId: string, versionId: string): Promise<PackVersion> {
    const version = await this.store.findVersion(workspaceId, versionId);
    if (version === undefined) throw noVersion(versionId);
    return version;
  }

  async manifest(workspaceId: string, versionId: string): Promise<Out<typeof packs.manifest>> {
    const found = await this.store.findManifest(workspaceId, versionId);
    if (found === undefined) throw noVersion(versionId);
    return { digest: found.digest, manifest: JSON.parse(found.manifest) };
  }

  /** The document as it was published, byte for byte. */
  async bundle(workspaceId: string, versionId: string): Promise<Out<typeof packs.bundle>> {
    const { bundle_artifact_id: id } = await this.getVersion(workspaceId, versionId);
    const [artifact] = id === null ? [] : await this.artifacts.findMany(workspaceId, [id]);
    if (artifact === undefined)
      throw new ContractError('not_found', 'The source text of this version was not kept.');
    return { document_base64: (await this.blobs.artifacts.get(artifact.sha256)).toString('base64') };
  }

  async setLifecycle(ask: In<typeof packs.setLifecycle>): Promise<PackVersion> {
    const { workspace_id, version_id, lifecycle_status: to } = ask;
    const { lifecycle_status: from, slug, version_number } = await this.getVersion(workspace_id, version_id);
    if (!canMove(from, to)) {
      throw new ContractError(
        'conflict',
        `${slug} version ${version_number} is ${from} and cannot become ${to}.`,
      );
    }
    const moved = await this.store.moveLifecycle(version_id, from, to);
    if (!moved) throw new ContractError('conflict', 'The version was changed at the same moment. Try again.');
    return await this.getVersion(workspace_id, version_id);
  }

  async inputSets(workspaceId: string, versionId: string): Promise<InputSet[]> {
    await this.getVersion(workspaceId, versionId);
    return await this.store.listInputSets(versionId);
  }

  async cases({
    workspace_id,
    input_set_id,
    limit,
    cursor,
  }: In<typeof packs.cases>): Promise<Out<typeof packs.cases>> {
    if (!(await this.store.hasInputSet(workspace_id, input_set_id))) {
      throw new ContractError('not_found', `There is no input set ${input_set_id}.`);
    }
    return await this.store.listCases(input_set_id, { limit, cursor });
  }

  private async read(ask: In<typeof packs.validate>): Promise<PackReading> {
    const document = Buffer.from(ask.document_base64, 'base64');
    const named = [...new Set(document.toString('latin1').match(UUIDS) ?? [])].map((id) => id.toLowerCase());
    const found = named.length === 0 ? [] : await this.artifacts.findMany(ask.workspace_id, named);
    const existing = new Set(found.map(({ id }) => id));
    return readPack(document, { strict: ask.strict, artifactExists: (id) => existing.has(id) });
  }

  private async storeBundle(ask: In<typeof packs.publish>, pack: AuthoredPack): Promise<string> {
    const stored = await this.blobs.artifacts.put(Buffer.from(ask.document_base64, 'base64'));
    const name = `${pack.pack.slug}-${pack.version.number}.yaml`;
    const { workspace_id: workspaceId, actor } = ask;
    const artifact = await this.artifacts.register({
      workspaceId,
      ...stored,
      name,
      mediaType: 'application/yaml',
      actor,
    });
    return artifact.id;
  }
}

interface Bundle {
  pack: AuthoredPack;
  manifest: Manifest;
  summary: string;
  /** Artifact id of the document. */
  bundle: string;
  actor: string;
}

function newVersion({ pack, manifest, summary, bundle, actor }: Bundle): NewVersion {
  const rows = storedCases(manifest);
  const { slug, name, family, description } = pack.pack;
  return {
    pack: { slug, name, family, description },
    number: pack.version.number,
    digest: digestOf(manifest),
    executionMode: pack.version.execution_mode,
    bundleArtifactId: bundle,
    summary,
    manifest: canonicalJson(manifest),
    actor,
    inputSets: pack.input_sets.map((set) => ({
      key: set.key,
      name: set.name,
      description: set.description,
      challengeKey: set.cases[0]?.challenge_key ?? '',
      cases: rows
        .filter((row) => row.input_set_key === set.key)
        .map((row) => ({
          position: row.position,
          challengeKey: row.challenge_key,
          caseKey: row.case_key,
          itemKey: row.item_key,
          kind: row.kind,
          document: canonicalJson(row.document),
        })),
    })),
  };
}

function decide(known: KnownSlug | undefined, incoming: Manifest): 'write' | VersionIds {
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
  throw new ContractError(
    'version_exists',
    `${slug} version ${number} was published with another ${sections.join(', ')}. Publish under a new number.`,
    { changed_sections: sections },
  );
}

function ofSeverity(problems: Problem[], severity: Problem['severity']): Problem[] {
  return problems.filter((problem) => problem.severity === severity);
}

function invalidPack(problems: Problem[]): ContractError {
  const count = ofSeverity(problems, 'error').length;
  return new ContractError(
    'invalid_pack',
    `The challenge pack has ${count} ${count === 1 ? 'error' : 'errors'}.`,
    {
      errors: problems,
    },
  );
}

function unstorableText(field: string): ContractError {
  return new ContractError('invalid_pack', 'Names and keys must not hold the character U+0000.', {
    errors: [{ code: 'malformed', field, message: 'holds the character U+0000', severity: 'error' }],
  });
}

function noVersion(id: string): ContractError {
  return new ContractError('not_found', `There is no challenge pack version ${id}.`);
}
