import type { RecordedCall } from '@agentclash/domain';
import { digestOf, type PartsForm, requestParts } from '@agentclash/model-broker';
import type { Model, ModelRequest, RequestPart, Sampling } from '@agentclash/models';
import type { Redactor } from '@agentclash/redaction';

/** A call before it is made: its model, and its request in the neutral form. */
export interface CallTarget {
  kind: RecordedCall['kind'];
  provider_key: string;
  model: string;
  parts: readonly RequestPart[];
}

/** A call of our own loop. */
export function nativeTarget(
  { messages, tools, outputSchema }: ModelRequest,
  { model, sampling, form }: { model: Model; sampling: Sampling | undefined; form: PartsForm },
): CallTarget {
  const body = { messages, tools, output_schema: outputSchema, sampling };
  const { providerKey: provider_key, name } = model;
  return { kind: 'native', provider_key, model: name, parts: requestParts(body, 'native', form) };
}

/** The parts of requests without the secrets that the attempt has opened. */
export class RedactedParts {
  /** The digests of parts seen before, as they are redacted. */
  private readonly known = new Map<string, string>();
  private redactor: Redactor | undefined;

  constructor(private readonly current: () => Redactor) {}

  of(parts: readonly RequestPart[]): RequestPart[] {
    const redactor = this.current();
    // A new secret may be in every part.
    if (redactor !== this.redactor) this.known.clear();
    this.redactor = redactor;
    return parts.map((part) => {
      if (this.known.get(part.digest) === part.digest) return part;
      const text = redactor.text(part.text);
      const digest = text === part.text ? part.digest : digestOf(text);
      this.known.set(part.digest, digest);
      return { path: part.path, text, digest };
    });
  }
}

/** The digest of a whole request. */
export function requestDigest({ kind, provider_key }: CallTarget, parts: readonly RequestPart[]): string {
  return digestOf(JSON.stringify([kind, provider_key, parts.map(({ path, digest }) => [path, digest])]));
}
