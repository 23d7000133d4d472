import type { Manifest } from '@agentclash/challengepack';
import type { In, packs } from '@agentclash/contracts';
import { Injectable } from '@nestjs/common';
import { ArchiveMembers, type Members } from '../archives/archive-members.js';
import { ArtifactsStore } from '../artifacts/artifacts.store.js';
import { PackReader } from '../reading/pack-reader.js';
import type { DocumentReading, ReadingTask } from '../reading/read-document.js';
import { refuseUnnamed } from './named-files.js';
import { UnboundSecrets } from './unbound-secrets.source.js';

const UUIDS = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi;

/** `manifest` is present exactly when the pack is valid; its files beside the pack have no ids yet. */
export interface PackReading extends Omit<DocumentReading, 'manifest'> {
  manifest?: Manifest;
  members: Members;
}

const NO_MEMBERS: Members = { files: [], problems: new Map(), isUnknown: false };

/** Reads documents of packs with everything of their workspace that they name: artifacts, archives, secrets. */
@Injectable()
export class PackDocuments {
  constructor(
    private readonly reader: PackReader,
    private readonly artifacts: ArtifactsStore,
    private readonly members: ArchiveMembers,
    private readonly secrets: UnboundSecrets,
  ) {}

  /** `isKept`: whether members of archives are stored in the blob store. */
  async read(request: In<typeof packs.validate>, isKept: boolean): Promise<PackReading> {
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
}
