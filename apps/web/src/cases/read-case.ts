import { ARTIFACT_PREFIX, isRecord, recordsIn, textOf } from '@agentclash/domain';

/**
 * The parts of a stored case that are shown. It may have been written by a newer server: unexpected parts are left out.
 */
export interface CaseParts {
  inputs: readonly InputParts[];
  expectations: readonly ExpectationParts[];
  /** Undefined when it is empty. */
  payload: Json | undefined;
  whole: unknown;
}

export interface InputParts {
  key: string;
  kind: string;
  value: unknown;
  /** The file behind the input, when it has one. */
  asset: AssetParts | undefined;
  path: string;
}

export interface ExpectationParts {
  key: string;
  kind: string;
  value: unknown;
  /** Where the value comes from instead: `input:KEY`, `artifact:KEY`. */
  source: string;
}

export interface AssetParts {
  key: string;
  path: string;
  mediaType: string;
  artifactId: string | undefined;
}

export type Json = Readonly<Record<string, unknown>>;

/** Reads a stored case: the bare payload, or a case document. `manifest` has the assets that the case only names. */
export function readCase(stored: Json, manifest: Json = {}): CaseParts {
  const document = isRecord(stored.document) ? stored.document : stored;
  const isPayload = stored.kind === 'payload';
  const own = isPayload ? {} : document;
  const assets = assetsOf(own, manifest, textOf(stored.challenge_key));
  const payload = isPayload ? document : own.payload;
  return {
    inputs: recordsIn(own, 'inputs').map((input) => ({
      key: textOf(input.key),
      kind: textOf(input.kind),
      value: input.value,
      asset: assets.find(({ key }) => key === input.artifact_key),
      path: textOf(input.path),
    })),
    expectations: recordsIn(own, 'expectations').map((expectation) => ({
      key: textOf(expectation.key),
      kind: textOf(expectation.kind),
      value: expectation.value,
      source: textOf(expectation.source) || named(textOf(expectation.artifact_key)),
    })),
    payload: isRecord(payload) && Object.keys(payload).length > 0 ? payload : undefined,
    whole: stored,
  };
}

function named(artifactKey: string): string {
  return artifactKey === '' ? '' : `${ARTIFACT_PREFIX}${artifactKey}`;
}

/** Those that the case can name, nearest first. */
function assetsOf(own: Json, manifest: Json, challengeKey: string): AssetParts[] {
  const challenge = recordsIn(manifest, 'challenges').find(({ key }) => key === challengeKey) ?? {};
  const version = isRecord(manifest.version) ? manifest.version : {};
  return [own, challenge, version]
    .flatMap((holder) => recordsIn(holder, 'assets'))
    .map((asset) => ({
      key: textOf(asset.key),
      path: textOf(asset.path),
      mediaType: textOf(asset.media_type),
      artifactId: textOf(asset.artifact_id) || undefined,
    }));
}
