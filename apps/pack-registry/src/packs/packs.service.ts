import { Handles, type Serves } from '@agentclash/bus';
import {
  ContractError,
  type In,
  type Out,
  type Pack,
  type PackVersion,
  packs,
  Uuid,
} from '@agentclash/contracts';
import { Blobs } from '@agentclash/service-kit';
import { ArtifactsStore } from '../artifacts/artifacts.store.js';
import { CasesStore } from './cases.store.js';
import { canMove } from './lifecycle.js';
import { PacksStore } from './packs.store.js';
import { Publishing } from './publishing.service.js';

@Handles(packs)
export class PacksService implements Serves<typeof packs> {
  constructor(
    private readonly publishing: Publishing,
    private readonly store: PacksStore,
    private readonly storedCases: CasesStore,
    private readonly artifacts: ArtifactsStore,
    private readonly blobs: Blobs,
  ) {}

  validate(request: In<typeof packs.validate>) {
    return this.publishing.validate(request);
  }

  publish(request: In<typeof packs.publish>) {
    return this.publishing.publish(request);
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
    const { lifecycle_status: from, slug, version_number, draft_expires_at } = await this.getVersion(request);
    if (draft_expires_at !== undefined) {
      throw new ContractError('conflict', `This is a draft of ${slug}: publish it, and change that version.`);
    }
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
    return await this.storedCases.list(input_set_id, { limit, cursor });
  }

  async caseKeys({ after, limit, ...set }: In<typeof packs.caseKeys>): Promise<Out<typeof packs.caseKeys>> {
    return await this.storedCases.keys(await this.inputSetId(set), { after, limit });
  }

  async casesByKey({
    case_keys,
    ...set
  }: In<typeof packs.casesByKey>): Promise<Out<typeof packs.casesByKey>> {
    return await this.storedCases.byKey(await this.inputSetId(set), case_keys);
  }

  private async inputSetId({
    workspace_id,
    version_id,
    input_set_key: key,
  }: Pick<In<typeof packs.caseKeys>, 'workspace_id' | 'version_id' | 'input_set_key'>): Promise<string> {
    const id = await this.store.findInputSet(workspace_id, version_id, key);
    if (id === undefined) {
      throw new ContractError('not_found', `The version ${version_id} has no input set "${key}".`);
    }
    return id;
  }
}

function noVersion(id: string): ContractError {
  return new ContractError('not_found', `There is no challenge pack version ${id}.`);
}
