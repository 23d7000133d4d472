import { Bus } from '@agentclash/bus';
import { type Asset, isJsonObject, type Manifest, readEvaluationSpec } from '@agentclash/challengepack';
import {
  artifacts,
  ContractError,
  evidence,
  type HistoryEvent,
  ImportedScores,
  type Out,
  packs,
  type StoredEvidence,
} from '@agentclash/contracts';
import { referencedSha256 } from '@agentclash/domain';
import {
  type ArtifactTexts,
  type AttemptEvidence,
  assetsInScope,
  assetsWithText,
  caseEvidence,
  type SecurityInput,
} from '@agentclash/grading';
import { type Contract, securityInput, WorkspaceSearch } from '@agentclash/run-scoring';
import { Blobs, ValueCache } from '@agentclash/service-kit';
import { Injectable } from '@nestjs/common';
import { VotesStore } from '../votes/votes.store.js';

type Absent = Out<typeof evidence.get>['absent'][number];

const CONTRACTS_MAX = 32;

/** Collects evidence: the orchestrator's events, the version's manifest, the stored files. */
@Injectable()
export class EvidenceSource {
  private readonly contracts = new ValueCache<Contract>(CONTRACTS_MAX);

  constructor(
    private readonly bus: Bus,
    private readonly blobs: Blobs,
    private readonly workspaces: WorkspaceSearch,
    private readonly votes: VotesStore,
  ) {}

  /**
   * The evidence of finished attempts, in pages. Fails after the others when the evidence of one cannot be read, and with
   * `not_found` or `conflict` when one is unknown or not finished.
   */
  async *ofAttempts(workspace_id: string, attempt_ids: readonly string[]): AsyncGenerator<StoredEvidence[]> {
    let left = [...attempt_ids];
    const absent: Absent[] = [];
    const failures: unknown[] = [];
    while (left.length > 0) {
      const found = await this.bus.call(evidence.get, { workspace_id, attempt_ids: left });
      absent.push(...found.absent);
      const read = await Promise.allSettled(found.items.map((stored) => this.whole(stored)));
      const items = read.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
      failures.push(...read.flatMap((each) => (each.status === 'rejected' ? [each.reason] : [])));
      if (items.length > 0) yield items;
      left = found.rest;
    }
    if (failures.length > 0) throw failures[0];
    const [first] = absent;
    if (first === undefined) return;
    const ids = absent.map(({ attempt_id }) => attempt_id).join(', ');
    throw new ContractError(first.code, `Not to be graded, unknown or not finished: ${ids}.`);
  }

  /** With the events that did not fit into the reply. */
  private async whole({ has_more_events, ...stored }: StoredEvidence): Promise<StoredEvidence> {
    if (!has_more_events) return stored;
    const { workspace_id, attempt_id, delivery } = stored;
    const events = [...stored.events];
    let hasMore = true;
    while (hasMore) {
      const after = events.at(-1)?.sequence_number ?? 0;
      const page = await this.bus.call(evidence.events, { workspace_id, attempt_id, delivery, after });
      events.push(...page.items);
      hasMore = page.has_more && page.items.length > 0;
    }
    return { ...stored, events };
  }

  /** The contract of a version, which never changes. */
  async contract(workspaceId: string, versionId: string): Promise<Contract> {
    return await this.contracts.get(versionId, () => this.load(workspaceId, versionId));
  }

  /**
   * The inputs of a grader, with large payloads and stored files loaded, and with people's votes where the spec has a
   * dimension for them. `reviewsThrough`: later ones are left out.
   */
  async assemble(
    stored: StoredEvidence,
    contract: Contract,
    reviewsThrough: bigint | null = null,
  ): Promise<AttemptEvidence> {
    const assets = assetsInScope(contract.manifest, stored.stored_case);
    const withText = assetsWithText(contract, stored.stored_case, assets);
    const { outcome, limit_kind, error } = stored.result;
    return {
      attempt: { outcome, limit_kind, error_code: error?.code ?? null },
      events: await Promise.all(
        stored.events.map(async (event) => ({ ...event, payload: await this.payload(event) })),
      ),
      ...(stored.imported && { imported: importedScores(stored.events) }),
      case: caseEvidence(stored.stored_case, assets, await this.texts(stored.workspace_id, withText)),
      ...(hasVotes(contract.spec) && { votes: await this.votes.of(stored, reviewsThrough) }),
    };
  }

  /** The inputs of a security pack's rules besides the evidence. */
  async security(
    contract: Contract,
    attempt: { stored: StoredEvidence; evidence: AttemptEvidence },
  ): Promise<SecurityInput | undefined> {
    return await securityInput(contract, attempt, this.workspaces);
  }

  private async load(workspace_id: string, version_id: string): Promise<Contract> {
    const { manifest } = await this.bus.call(packs.manifest, { workspace_id, version_id });
    // The registry stores what challengepack returned.
    const published: Manifest = { ...(manifest as unknown as Manifest), input_sets: [] };
    return { manifest: published, spec: readEvaluationSpec(published.evaluation_spec) };
  }

  private async payload({ payload }: HistoryEvent): Promise<HistoryEvent['payload']> {
    const sha256 = referencedSha256(payload);
    return sha256 === undefined ? payload : JSON.parse((await this.blobs.evidence.get(sha256)).toString());
  }

  private async texts(workspace_id: string, assets: Asset[]): Promise<ArtifactTexts> {
    const ids = assets.flatMap(({ artifact_id }) => artifact_id ?? []);
    if (ids.length === 0) return new Map();
    const { items } = await this.bus.call(artifacts.getMany, {
      workspace_id,
      artifact_ids: [...new Set(ids)],
    });
    const texts = await Promise.all(
      items.map(async ({ id, sha256 }) => [id, utf8(await this.blobs.artifacts.get(sha256))] as const),
    );
    return new Map(texts);
  }
}

/** True when a dimension of the spec is scored by people's votes. */
export function hasVotes({ scorecard }: Contract['spec']): boolean {
  return scorecard.dimensions.some(({ source }) => source === 'human_preference');
}

/** The scores that came with an imported attempt, which its first event holds. */
function importedScores(events: readonly HistoryEvent[]): NonNullable<AttemptEvidence['imported']> {
  const start = events.find(({ event_type }) => event_type === 'system.run.started');
  const { imported } = start?.payload ?? {};
  const scores = ImportedScores.safeParse(isJsonObject(imported) ? imported.scores : undefined);
  return scores.success ? { scores: scores.data } : {};
}

function utf8(bytes: Buffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}
