import {
  attachArtifacts,
  attachMembers,
  digestOf,
  type Manifest,
  memberName,
} from '@agentclash/challengepack';
import { ContractError, ERRORS, type In, type Out, type Problem, type packs } from '@agentclash/contracts';
import { Blobs, newId } from '@agentclash/service-kit';
import { Injectable } from '@nestjs/common';
import type { Members } from '../archives/archive-members.js';
import { ArtifactsStore } from '../artifacts/artifacts.store.js';
import { PackFiles } from '../artifacts/pack-files.js';
import type { SpooledSet } from '../reading/read-cases.js';
import { DraftsStore } from './drafts.store.js';
import { filesFor } from './named-files.js';
import { newVersion, outcomeOf, unstorableName } from './new-version.js';
import { PackDocuments } from './pack-documents.js';
import { PacksStore } from './packs.store.js';
import type { VersionIds } from './version-rows.store.js';

/** A valid pack before it is stored. */
interface ReadPack {
  written: Manifest;
  summary: object;
  members: Members;
  spooled: readonly SpooledSet[];
}

/** The published version: created now, or existing. */
interface Published {
  known: VersionIds;
  digest: string;
  created: boolean;
  /** Of a draft. */
  draftExpiresAt?: Date;
}

/** Checks documents and publishes the valid ones as versions of packs. */
@Injectable()
export class Publishing {
  constructor(
    private readonly documents: PackDocuments,
    private readonly store: PacksStore,
    private readonly drafts: DraftsStore,
    private readonly artifacts: ArtifactsStore,
    private readonly files: PackFiles,
    private readonly blobs: Blobs,
  ) {}

  async validate(request: In<typeof packs.validate>): Promise<Out<typeof packs.validate>> {
    return await this.documents.read(request, false, async (reading) => {
      const { problems, omitted, summary, manifest } = reading;
      return {
        valid: manifest !== undefined,
        errors: ofSeverity(problems, 'error'),
        warnings: ofSeverity(problems, 'warning'),
        ...(omitted > 0 && { problems_omitted: omitted }),
        summary: {
          ...summary,
          digest: manifest ? await this.foreseenDigest(request, { ...reading, written: manifest }) : null,
        },
      };
    });
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
    return await this.documents.read(request, true, async (reading) => {
      const { problems, omitted, manifest: written, members, hasUnreadCases } = reading;
      try {
        if (written === undefined) throw invalidPack(problems, omitted);
        if (hasUnreadCases) throw unstoredFile();
        const unstorable = unstorableName(written);
        if (unstorable !== undefined) throw unstorableText(unstorable);
        return await this.publishRead(request, { ...reading, written });
      } catch (error) {
        if (error instanceof ContractError && !ERRORS[error.code].retry) await this.files.drop(members.files);
        throw error;
      }
    });
  }

  private async publishRead(
    request: In<typeof packs.publish>,
    { problems, ...read }: ReadPack & { problems: Problem[] },
  ): Promise<Out<typeof packs.publish>> {
    const { written, members } = read;
    const { known, digest, created, draftExpiresAt } = request.draft
      ? await this.writeDraft(request, read)
      : ((await this.findPublished(request, written, members)) ?? (await this.write(request, read)));
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
      ...(draftExpiresAt && { draft_expires_at: draftExpiresAt.toISOString() }),
      warnings: ofSeverity(problems, 'warning'),
    };
  }

  /** The digest that publishing would return; null while the id of a file is unknown because it is not stored. */
  private async foreseenDigest(
    request: In<typeof packs.validate>,
    { written, members, hasUnreadCases }: ReadPack & { hasUnreadCases: boolean },
  ): Promise<string | null> {
    const files = [...filesFor(written, request.files), ...members.files];
    const ids = await this.files.find(request.workspace_id, files);
    const isForeseen = !hasUnreadCases && !members.isUnknown && files.every(({ path }) => ids.has(path));
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
  private async write(request: In<typeof packs.publish>, read: ReadPack): Promise<Published> {
    const manifest = await this.withFiles(request, read);
    const bundle = await this.storeBundle(request, manifest);
    const version = newVersion({ ...read, manifest, bundle, actor: request.actor });
    let created = true;
    const known = await this.store.publish(request.workspace_id, version, (slug) => {
      const outcome = outcomeOf(slug, manifest);
      created = outcome === 'write';
      return outcome;
    });
    return { known, digest: version.digest, created };
  }

  /** Its text is with its author, and is not kept. */
  private async writeDraft(request: In<typeof packs.publish>, read: ReadPack): Promise<Published> {
    const manifest = await this.withFiles(request, read);
    const version = newVersion({ ...read, manifest, bundle: null, actor: request.actor });
    const { expiresAt, ...known } = await this.drafts.create(request.workspace_id, version);
    return { known, digest: version.digest, created: true, draftExpiresAt: expiresAt };
  }

  /** The manifest with the ids of its files, which are stored. */
  private async withFiles(
    { workspace_id, files: sent, actor }: In<typeof packs.publish>,
    { written, members }: ReadPack,
  ): Promise<Manifest> {
    const ids = await this.files.keep(workspace_id, [...filesFor(written, sent), ...members.files], actor);
    return attached(written, (path) => ids.get(path));
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

/** Its artifact was deleted, or its bytes were removed, since the document was read. */
function unstoredFile(): ContractError {
  return new ContractError('conflict', 'The bytes of a data file are not stored. Send it again.');
}

function unstorableText(field: string): ContractError {
  return new ContractError('invalid_pack', 'Names and keys must not hold the character U+0000.', {
    errors: [{ code: 'malformed', field, message: 'holds the character U+0000', severity: 'error' }],
  });
}
