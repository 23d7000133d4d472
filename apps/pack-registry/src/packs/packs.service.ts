import { Handles, type Serves } from '@agentclash/bus';
import {
  attachArtifacts,
  attachMembers,
  digestOf,
  type Manifest,
  memberName,
} from '@agentclash/challengepack';
import {
  ContractError,
  ERRORS,
  type In,
  type Out,
  type Pack,
  type PackVersion,
  type Problem,
  packs,
  Uuid,
} from '@agentclash/contracts';
import { Blobs, newId } from '@agentclash/service-kit';
import { ArchiveMembers, type Members } from '../archives/archive-members.js';
import { ArtifactsStore } from '../artifacts/artifacts.store.js';
import { PackFiles } from '../artifacts/pack-files.js';
import { PackReader } from '../reading/pack-reader.js';
import type { DocumentReading, ReadingTask } from '../reading/read-document.js';
import { canMove } from './lifecycle.js';
import { filesFor, refuseUnnamed } from './named-files.js';
import { newVersion, outcomeOf, unstorableName } from './new-version.js';
import { PacksStore, type VersionIds } from './packs.store.js';
import { UnboundSecrets } from './unbound-secrets.source.js';

const UUIDS = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi;

/** `manifest` is present exactly when the pack is valid; its files beside the pack have no ids yet. */
interface Reading extends Omit<DocumentReading, 'manifest'> {
  manifest?: Manifest;
  members: Members;
}

/** A valid pack before it is stored. */
interface ReadPack {
  written: Manifest;
  summary: object;
  members: Members;
}

const NO_MEMBERS: Members = { files: [], problems: new Map(), isUnknown: false };

/** The published version: created now, or existing. */
interface Published {
  known: VersionIds;
  digest: string;
  created: boolean;
}

@Handles(packs)
export class PacksService implements Serves<typeof packs> {
  constructor(
    private readonly store: PacksStore,
    private readonly artifacts: ArtifactsStore,
    private readonly blobs: Blobs,
    private readonly reader: PackReader,
    private readonly files: PackFiles,
    private readonly members: ArchiveMembers,
    private readonly secrets: UnboundSecrets,
  ) {}

  async validate(request: In<typeof packs.validate>): Promise<Out<typeof packs.validate>> {
    const { problems, omitted, summary, manifest, members } = await this.read(request, false);
    return {
      valid: manifest !== undefined,
      errors: ofSeverity(problems, 'error'),
      warnings: ofSeverity(problems, 'warning'),
      ...(omitted > 0 && { problems_omitted: omitted }),
      summary: {
        ...summary,
        digest: manifest ? await this.foreseenDigest(request, manifest, members) : null,
      },
    };
  }

  /** Publishes a valid document; the same content under the same slug and number is the same version. */
  async publish(request: In<typeof packs.publish>): Promise<Out<typeof packs.publish>> {
    try {
      return await this.publishValid(request);
    } catch (error) {
      if (error instanceof ContractError && !ERRORS[error.code].retry) await this.files.drop(request.files);
      throw error;
    }
  }

  private async publishValid(request: In<typeof packs.publish>): Promise<Out<typeof packs.publish>> {
    const { problems, omitted, summary, manifest: written, members } = await this.read(request, true);
    try {
      if (written === undefined) throw invalidPack(problems, omitted);
      const unstorable = unstorableName(written);
      if (unstorable !== undefined) throw unstorableText(unstorable);
      return await this.publishRead(request, { written, summary, problems, members });
    } catch (error) {
      if (error instanceof ContractError && !ERRORS[error.code].retry) await this.files.drop(members.files);
      throw error;
    }
  }

  private async publishRead(
    request: In<typeof packs.publish>,
    { written, summary, problems, members }: ReadPack & { problems: Problem[] },
  ): Promise<Out<typeof packs.publish>> {
    const { known, digest, created } =
      (await this.findPublished(request, written, members)) ??
      (await this.write(request, { written, summary, members }));
    return {
      created,
      challenge_pack_id: known.packId,
      challenge_pack_version_id: known.versionId,
      evaluation_spec_id: known.evaluationSpecId,
      input_set_ids: known.inputSets.map(({ id }) => id),
      input_sets: known.inputSets,
      bundle_artifact_id: known.bundleArtifactId,
      version_number: written.version.number,
      digest,
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

  async get({ workspace_id, pack: idOrSlug }: In<typeof packs.get>): Promise<Pack> {
    const by = Uuid.safeParse(idOrSlug).success ? { id: idOrSlug } : { slug: idOrSlug };
    const pack = await this.store.find(workspace_id, by);
    if (pack === undefined) throw new ContractError('not_found', `There is no challenge pack ${idOrSlug}.`);
    return pack;
  }

  async getVersion({ workspace_id, version_id }: In<typeof packs.getVersion>): Promise<PackVersion> {
    const version = await this.store.findVersion(workspace_id, version_id);
    if (version === undefined) throw noVersion(version_id);
    return version;
  }

  async manifest({
    workspace_id,
    version_id,
  }: In<typeof packs.manifest>): Promise<Out<typeof packs.manifest>> {
    const found = await this.store.findManifest(workspace_id, version_id);
    if (found === undefined) throw noVersion(version_id);
    return { digest: found.digest, manifest: JSON.parse(found.manifest) };
  }

  /** The document as it was published, byte for byte. */
  async bundle(request: In<typeof packs.bundle>): Promise<Out<typeof packs.bundle>> {
    const { bundle_artifact_id: id } = await this.getVersion(request);
    const [artifact] = id === null ? [] : await this.artifacts.findMany(request.workspace_id, [id]);
    if (artifact === undefined)
      throw new ContractError('not_found', 'The source text of this version was not kept.');
    return { document_base64: (await this.blobs.artifacts.get(artifact.sha256)).toString('base64') };
  }

  async setLifecycle(request: In<typeof packs.setLifecycle>): Promise<PackVersion> {
    const { version_id, lifecycle_status: to } = request;
    const { lifecycle_status: from, slug, version_number } = await this.getVersion(request);
    if (!canMove(from, to)) {
      throw new ContractError(
        'conflict',
        `${slug} version ${version_number} is ${from} and cannot become ${to}.`,
      );
    }
    const moved = await this.store.moveLifecycle(version_id, from, to);
    if (!moved) throw new ContractError('conflict', 'The version was changed at the same moment. Try again.');
    return await this.getVersion(request);
  }

  async inputSets(request: In<typeof packs.inputSets>): Promise<Out<typeof packs.inputSets>> {
    await this.getVersion(request);
    return { items: await this.store.listInputSets(request.version_id) };
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

  /** `isKept`: whether members of archives are stored in the blob store. */
  private async read(request: In<typeof packs.validate>, isKept: boolean): Promise<Reading> {
    const { workspace_id: workspaceId, strict, files } = request;
    const document = Buffer.from(request.document_base64, 'base64');
    const task = {
      document,
      strict,
      artifacts: await this.artifactsNamedIn(document, workspaceId),
      files: files.map(({ path }) => path),
    };
    const { manifest: text, ...reading } = await this.readWithSecrets(workspaceId, task);
    if (text === undefined) return { ...reading, members: NO_MEMBERS };
    const manifest = JSON.parse(text) as Manifest;
    refuseUnnamed(files, manifest);
    const members = await this.members.read(manifest, { workspaceId, files, isKept });
    if (members.problems.size === 0) return { ...reading, manifest, members };
    // Read once more, for the positions of the problems.
    const { manifest: _valid, ...invalid } = await this.reader.read(workspaceId, {
      ...task,
      memberProblems: members.problems,
    });
    return { ...invalid, members };
  }

  /** A valid pack that uses unbound secrets is read once more, for the positions of the warnings. */
  private async readWithSecrets(workspaceId: string, task: ReadingTask): Promise<DocumentReading> {
    const reading = await this.reader.read(workspaceId, task);
    if (reading.manifest === undefined) return reading;
    const unboundSecrets = await this.secrets.in(workspaceId, JSON.parse(reading.manifest));
    return unboundSecrets.length === 0
      ? reading
      : await this.reader.read(workspaceId, { ...task, unboundSecrets });
  }

  /** Existing artifacts whose ids occur in the document. */
  private async artifactsNamedIn(document: Buffer, workspaceId: string): Promise<string[]> {
    const named = new Set((document.toString('latin1').match(UUIDS) ?? []).map((id) => id.toLowerCase()));
    return await this.artifacts.knownIds(workspaceId, [...named]);
  }

  /** The digest that publishing would return; null while the id of a file is unknown because it is not stored. */
  private async foreseenDigest(
    request: In<typeof packs.validate>,
    written: Manifest,
    members: Members,
  ): Promise<string | null> {
    const files = [...filesFor(written, request.files), ...members.files];
    const ids = await this.files.find(request.workspace_id, files);
    const isForeseen = !members.isUnknown && files.every(({ path }) => ids.has(path));
    return isForeseen ? digestOf(attached(written, (path) => ids.get(path))) : null;
  }

  /**
   * The existing version with this content; fails where other content has its number. Runs before anything is stored, so
   * that a rejected pack leaves no artifact behind.
   */
  private async findPublished(
    request: In<typeof packs.publish>,
    written: Manifest,
    members: Members,
  ): Promise<Published | undefined> {
    const { pack, version } = written;
    const slug = await this.store.findKnown(request.workspace_id, {
      slug: pack.slug,
      number: version.number,
    });
    const files = [...filesFor(written, request.files), ...members.files];
    const ids = await this.files.find(request.workspace_id, files);
    const isSent = new Set(files.map(({ path }) => path));
    // Bytes that are new to the workspace get an id that no version has.
    const manifest = attached(written, (path) => ids.get(path) ?? (isSent.has(path) ? newId() : undefined));
    const outcome = outcomeOf(slug, manifest);
    return outcome === 'write' ? undefined : { known: outcome, digest: digestOf(manifest), created: false };
  }

  /** Decides once more under the lock of the slug: a concurrent publish may have been first. */
  private async write(
    request: In<typeof packs.publish>,
    { written, summary, members }: ReadPack,
  ): Promise<Published> {
    const { workspace_id: workspaceId, actor } = request;
    const files = [...filesFor(written, request.files), ...members.files];
    const ids = await this.files.keep(workspaceId, files, actor);
    const manifest = attached(written, (path) => ids.get(path));
    const bundle = await this.storeBundle(request, manifest);
    const version = newVersion({ manifest, summary, bundle, actor });
    let created = true;
    const known = await this.store.publish(workspaceId, version, (slug) => {
      const outcome = outcomeOf(slug, manifest);
      created = outcome === 'write';
      return outcome;
    });
    return { known, digest: version.digest, created };
  }

  private async storeBundle(request: In<typeof packs.publish>, manifest: Manifest): Promise<string> {
    const stored = await this.blobs.artifacts.put(Buffer.from(request.document_base64, 'base64'));
    const name = `${manifest.pack.slug}-${manifest.version.number}.yaml`;
    const { workspace_id: workspaceId, actor } = request;
    const bundle = { workspaceId, ...stored, name, mediaType: 'application/yaml', actor };
    return (await this.artifacts.register(bundle, this.blobs.artifacts)).id;
  }
}

/** The manifest with ids for its files, by path, and for the members of archives, by name. */
function attached(written: Manifest, idOf: (path: string) => string | undefined): Manifest {
  // Members are named by their archives as authored, which have no ids yet.
  const withMembers = attachMembers(written, (member) => idOf(memberName(member)));
  return attachArtifacts(withMembers, idOf);
}

function ofSeverity(problems: Problem[], severity: Problem['severity']): Problem[] {
  return problems.filter((problem) => problem.severity === severity);
}

function invalidPack(problems: Problem[], omitted: number): ContractError {
  const count = ofSeverity(problems, 'error').length;
  const counted = `${omitted > 0 ? 'more than ' : ''}${count} ${count === 1 ? 'error' : 'errors'}`;
  return new ContractError('invalid_pack', `The challenge pack has ${counted}.`, {
    errors: problems,
    ...(omitted > 0 && { problems_omitted: omitted }),
  });
}

function unstorableText(field: string): ContractError {
  return new ContractError('invalid_pack', 'Names and keys must not hold the character U+0000.', {
    errors: [{ code: 'malformed', field, message: 'holds the character U+0000', severity: 'error' }],
  });
}

function noVersion(id: string): ContractError {
  return new ContractError('not_found', `There is no challenge pack version ${id}.`);
}
