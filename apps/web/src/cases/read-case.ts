import { ARTIFACT_PREFIX, INPUT_PREFIX, isRecord, recordsIn, textOf } from '@agentclash/domain';

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
  /** The value at the source, where the page has it. */
  sourceValue?: unknown;
  /** The file at the source. */
  asset?: AssetParts | undefined;
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
  const inputs = recordsIn(own, 'inputs').map((input) => ({
    key: textOf(input.key),
    kind: textOf(input.kind),
    value: input.value,
    asset: assets.find(({ key }) => key === input.artifact_key),
    path: textOf(input.path),
  }));
  return {
    inputs,
    expectations: recordsIn(own, 'expectations').map((expectation) => {
      const source = textOf(expectation.source) || named(textOf(expectation.artifact_key));
      return {
        key: textOf(expectation.key),
        kind: textOf(expectation.kind),
        value: expectation.value,
        source,
        ...atSource(source, inputs, assets),
      };
    }),
    payload: isRecord(payload) && Object.keys(payload).length > 0 ? payload : undefined,
    whole: stored,
  };
}

function atSource(
  source: string,
  inputs: readonly InputParts[],
  assets: readonly AssetParts[],
): Pick<ExpectationParts, 'sourceValue' | 'asset'> {
  const keyAfter = (prefix: string) => (source.startsWith(prefix) ? source.slice(prefix.length) : undefined);
  const [inputKey, assetKey] = [keyAfter(INPUT_PREFIX), keyAfter(ARTIFACT_PREFIX)];
  const input = inputs.find(({ key }) => key === inputKey);
  // A member of a file is not the file.
  const asset = input?.path === '' ? input.asset : assets.find(({ key }) => key === assetKey);
  return { ...(input?.value !== undefined && { sourceValue: input.value }), ...(asset && { asset }) };
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
