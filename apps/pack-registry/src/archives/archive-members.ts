import { createHash } from 'node:crypto';
import {
  type ArchiveMember,
  archiveMembers,
  type Manifest,
  type MemberProblem,
  memberName,
} from '@agentclash/challengepack';
import type { PackFile } from '@agentclash/contracts';
import { Blobs } from '@agentclash/service-kit';
import { Injectable } from '@nestjs/common';
import { ArtifactsStore } from '../artifacts/artifacts.store.js';
import { ArchiveError } from './archive-errors.js';
import { ArchiveReader } from './archive-reader.js';

/** Below the deadline of publishing. */
const ALL_MS_MAX = 8_000;
const TOO_LONG = new ArchiveError('unpacking all archives of the pack takes too long');

/** The members that a manifest names, with their problems. */
export interface Members {
  /** Each as a separate file, by its name (`memberName`). */
  files: PackFile[];
  /** By name. */
  problems: Map<string, MemberProblem>;
  /** True when the bytes of some archive are not stored, so that its members are unknown. */
  isUnknown: boolean;
}

interface From {
  workspaceId: string;
  /** The files beside the pack. */
  files: readonly PackFile[];
  /** True when the members are stored in the blob store. */
  isKept: boolean;
}

/** The members of archives that inputs name. */
@Injectable()
export class ArchiveMembers {
  constructor(
    private readonly artifacts: ArtifactsStore,
    private readonly blobs: Blobs,
    private readonly reader: ArchiveReader,
  ) {}

  /** Extracts the members from their archives, one archive after the other. */
  async read(manifest: Manifest, from: From): Promise<Members> {
    const members: Members = { files: [], problems: new Map(), isUnknown: false };
    const deadline = performance.now() + ALL_MS_MAX;
    for (const ofArchive of byArchive(archiveMembers(manifest))) {
      if (performance.now() < deadline) await this.readArchive(ofArchive, from, members);
      else for (const member of ofArchive) members.problems.set(memberName(member), TOO_LONG.problem);
    }
    return members;
  }

  private async readArchive(
    members: readonly ArchiveMember[],
    { workspaceId, files, isKept }: From,
    into: Members,
  ): Promise<void> {
    const [first] = members;
    const sha256 = first && (await this.digestOf(first, workspaceId, files));
    if (first === undefined || sha256 === undefined || !(await this.blobs.artifacts.has(sha256))) {
      into.isUnknown = true;
      return;
    }
    const archive = await this.blobs.artifacts.get(sha256);
    const paths = members.map(({ path }) => path);
    for (const reading of await this.reader.read(workspaceId, { archive, format: first.format, paths })) {
      const path = memberName({ asset: first.asset, path: reading.path });
      if ('problem' in reading) into.problems.set(path, reading.problem);
      else into.files.push({ path, sha256: await this.keep(Buffer.from(reading.bytes), isKept) });
    }
  }

  private async digestOf(
    { asset: { artifact_id: id, path } }: ArchiveMember,
    workspaceId: string,
    files: readonly PackFile[],
  ): Promise<string | undefined> {
    if (id === undefined) return files.find((file) => file.path === path)?.sha256;
    const [artifact] = await this.artifacts.findMany(workspaceId, [id]);
    return artifact?.sha256;
  }

  private async keep(bytes: Buffer, isKept: boolean): Promise<string> {
    if (isKept) return (await this.blobs.artifacts.put(bytes)).sha256;
    return createHash('sha256').update(bytes).digest('hex');
  }
}

function byArchive(members: readonly ArchiveMember[]): ArchiveMember[][] {
  const groups = new Map<string, ArchiveMember[]>();
  for (const member of members) {
    const name = member.asset.artifact_id ?? member.asset.path;
    groups.set(name, [...(groups.get(name) ?? []), member]);
  }
  return [...groups.values()];
}
