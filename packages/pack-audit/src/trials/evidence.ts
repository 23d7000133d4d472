import type { Asset, Case } from '@agentclash/challengepack';
import type { AttemptEvent, AttemptResult } from '@agentclash/domain';
import {
  type ArtifactTexts,
  type AttemptEvidence,
  assetsInScope,
  assetsWithText,
  caseEvidence,
  type StoredCaseView,
} from '@agentclash/grading';
import type { AuditedCase, AuditedPack } from '../pack/audited-pack.js';

interface Ended {
  pack: AuditedPack;
  result: AttemptResult;
  events: readonly AttemptEvent[];
  signal: AbortSignal;
}

/** The evidence of a trial, as that of an attempt of a run. */
export async function evidenceOf(
  { case: each }: AuditedCase,
  { pack, result, events, signal }: Ended,
): Promise<AttemptEvidence> {
  const stored = storedView(each);
  const assets = assetsInScope(pack.manifest, stored);
  const withText = assetsWithText(pack, stored, assets);
  return {
    attempt: {
      outcome: result.outcome,
      limit_kind: result.limit_kind,
      error_code: result.error?.code ?? null,
    },
    events: events.flatMap(({ sequence_number, event_type, occurred_at, payload }) =>
      // Live events have no number, and are no evidence.
      sequence_number === undefined
        ? []
        : [{ sequence_number, event_type, occurred_at, payload: { ...payload } }],
    ),
    case: caseEvidence(stored, assets, await textsOf(withText, pack, signal)),
  };
}

function storedView({ challenge_key, ...document }: Case): StoredCaseView {
  return { challenge_key, kind: 'case_document', document: { ...document } };
}

async function textsOf(
  assets: readonly Asset[],
  pack: AuditedPack,
  signal: AbortSignal,
): Promise<ArtifactTexts> {
  const texts = new Map<string, string | null>();
  for (const { artifact_id: id } of assets) {
    const ref = id === undefined ? undefined : pack.artifacts.get(id);
    if (ref && !texts.has(ref.artifact_id)) {
      texts.set(ref.artifact_id, utf8(await pack.artifactReader.read(ref, signal)));
    }
  }
  return texts;
}

/** Null for bytes that are no text. */
function utf8(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}
