import { type Asset, storedCase } from '@agentclash/challengepack';
import type { AttemptEvent, AttemptResult } from '@agentclash/domain';
import {
  type ArtifactTexts,
  type AttemptEvidence,
  assetsInScope,
  assetsWithText,
  caseEvidence,
} from '@agentclash/grading';
import type { PackCase, PackSource } from './local-pack.js';

interface Ended {
  pack: PackSource;
  result: AttemptResult;
  events: readonly AttemptEvent[];
  signal: AbortSignal;
}

/** The evidence of an attempt, as scoring assembles it from stored events. */
export async function evidenceOf(
  each: PackCase,
  { pack, result, events, signal }: Ended,
): Promise<AttemptEvidence> {
  const stored = storedCaseOf(each);
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

/** A case as publishing stores it. */
export function storedCaseOf({ inputSetKey, case: each }: PackCase, position = 0) {
  const { input_set_key: _set, kind, document, ...keys } = storedCase(inputSetKey, each, position);
  // Of a case without further members, the document is its payload.
  return { ...keys, kind, document: { ...document } };
}

async function textsOf(
  assets: readonly Asset[],
  pack: PackSource,
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
