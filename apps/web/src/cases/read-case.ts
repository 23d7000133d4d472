/** What is shown of a stored case. It may have been written by a newer server: what is not as expected is left out. */
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

interface ExpectationParts {
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
  const document = isObject(stored.document) ? stored.document : stored;
  const isPayload = stored.kind === 'payload';
  const own = isPayload ? {} : document;
  const assets = assetsOf(own, manifest, textIn(stored, 'challenge_key'));
  const payload = isPayload ? document : own.payload;
  return {
    inputs: listIn(own, 'inputs').map((input) => ({
      key: textIn(input, 'key'),
      kind: textIn(input, 'kind'),
      value: input.value,
      asset: assets.find(({ key }) => key === input.artifact_key),
      path: textIn(input, 'path'),
    })),
    expectations: listIn(own, 'expectations').map((expectation) => ({
      key: textIn(expectation, 'key'),
      kind: textIn(expectation, 'kind'),
      value: expectation.value,
      source: textIn(expectation, 'source') || named(textIn(expectation, 'artifact_key')),
    })),
    payload: isObject(payload) && Object.keys(payload).length > 0 ? payload : undefined,
    whole: stored,
  };
}

function named(artifactKey: string): string {
  return artifactKey === '' ? '' : `artifact:${artifactKey}`;
}

/** Those that the case can name, nearest first. */
function assetsOf(own: Json, manifest: Json, challengeKey: string): AssetParts[] {
  const challenge = listIn(manifest, 'challenges').find(({ key }) => key === challengeKey) ?? {};
  const version = isObject(manifest.version) ? manifest.version : {};
  return [own, challenge, version]
    .flatMap((holder) => listIn(holder, 'assets'))
    .map((asset) => ({
      key: textIn(asset, 'key'),
      path: textIn(asset, 'path'),
      mediaType: textIn(asset, 'media_type'),
      artifactId: textIn(asset, 'artifact_id') || undefined,
    }));
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function listIn(from: Json, name: string): Json[] {
  const value = from[name];
  return Array.isArray(value) ? value.filter(isObject) : [];
}

function textIn(from: Json, name: string): string {
  const value = from[name];
  return typeof value === 'string' ? value : '';
}
