import type { Manifest } from '@agentclash/challengepack';
import type { In, PackFile, packs } from '@agentclash/contracts';
import { Injectable } from '@nestjs/common';
import { ArchiveMembers, type Members } from '../archives/archive-members.js';
import { ArtifactsStore } from '../artifacts/artifacts.store.js';
import { CaseFiles } from '../case-files/case-files.js';
import { PackReader } from '../reading/pack-reader.js';
import type { SpooledSet } from '../reading/read-cases.js';
import type { DocumentReading, ReadingTask } from '../reading/read-document.js';
import { BuildFiles } from './build-files.source.js';
import { refuseUnnamed } from './named-files.js';
import { UnboundSecrets } from './unbound-secrets.source.js';

const UUIDS = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi;

/** `manifest` is present exactly when the pack is valid; its files beside the pack have no ids yet. */
export interface PackReading extends Omit<DocumentReading, 'manifest'> {
  manifest?: Manifest;
  members: Members;
  /** The cases of data files. */
  spooled: readonly SpooledSet[];
  /** True when the bytes of some data file are not stored, so that its cases are unknown. */
  hasUnreadCases: boolean;
}

const NO_MEMBERS: Members = { files: [], problems: new Map(), isUnknown: false };
const NO_CASES = { spooled: [], hasUnreadCases: false };

/** Reads documents of packs with everything of their workspace that they name: artifacts, archives, secrets, data files. */
@Injectable()
export class PackDocuments {
  constructor(
    private readonly reader: PackReader,
    private readonly artifacts: ArtifactsStore,
    private readonly members: ArchiveMembers,
    private readonly secrets: UnboundSecrets,
    private readonly builds: BuildFiles,
    private readonly caseFiles: CaseFiles,
  ) {}

  /**
   * Passes what was read to `use`: the files with the cases exist no longer than that. `isKept`: whether members of
   * archives are stored in the blob store.
   */
  async read<T>(
    request: In<typeof packs.validate>,
    isKept: boolean,
    use: (reading: PackReading) => Promise<T>,
  ): Promise<T> {
    const { workspace_id: workspaceId, strict, files } = request;
    const document = Buffer.from(request.document_base64, 'base64');
    const task = {
      document,
      strict,
      artifacts: await this.artifactsNamedIn(document, workspaceId),
      files: files.map(({ path }) => path),
    };
    const [{ manifest: text, ...reading }, taskWithFacts] = await this.readWithFacts(
      workspaceId,
      task,
      files,
    );
    if (text === undefined) return await use({ ...reading, ...NO_CASES, members: NO_MEMBERS });
    const manifest = JSON.parse(text) as Manifest;
    refuseUnnamed(files, manifest);
    const members = await this.members.read(manifest, { workspaceId, files, isKept });
    if (members.problems.size > 0) {
      // Read once more, for the positions of the problems.
      const memberProblems = members.problems;
      const { manifest: _valid, ...invalid } = await this.reader.read(workspaceId, {
        ...task,
        memberProblems,
      });
      return await use({ ...invalid, ...NO_CASES, members });
    }
    const hasUnreadCases = manifest.input_sets.some((set) => set.cases_from !== undefined);
    if (!hasUnreadCases) return await use({ ...reading, ...NO_CASES, manifest, members });
    const from = { workspaceId, files };
    const used = await this.caseFiles.read(
      manifest,
      taskWithFacts,
      from,
      async ({ reading: whole, sets }) => {
        const { manifest: read, ...rest } = whole;
        const valid = read === undefined ? {} : { manifest: JSON.parse(read) as Manifest };
        return { result: await use({ ...rest, ...valid, members, spooled: sets, hasUnreadCases: false }) };
      },
    );
    return used ? used.result : await use({ ...reading, manifest, members, spooled: [], hasUnreadCases });
  }

  /** A valid pack that uses unbound secrets or builds images is read once more, for the positions of those problems. */
  private async readWithFacts(
    workspaceId: string,
    task: ReadingTask,
    files: readonly PackFile[],
  ): Promise<[DocumentReading, ReadingTask]> {
    const reading = await this.reader.read(workspaceId, task);
    if (reading.manifest === undefined) return [reading, task];
    const manifest = JSON.parse(reading.manifest) as Manifest;
    const unboundSecrets = await this.secrets.in(workspaceId, manifest);
    const builds = await this.builds.in(workspaceId, manifest, files);
    if (unboundSecrets.length === 0 && builds === undefined) return [reading, task];
    const withFacts = { ...task, unboundSecrets, ...(builds && { builds }) };
    return [await this.reader.read(workspaceId, withFacts), withFacts];
  }

  /** Existing artifacts whose ids occur in the document. */
  private async artifactsNamedIn(document: Buffer, workspaceId: string): Promise<string[]> {
    const named = new Set((document.toString('latin1').match(UUIDS) ?? []).map((id) => id.toLowerCase()));
    return await this.artifacts.knownIds(workspaceId, [...named]);
  }
}
