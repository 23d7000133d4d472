import type { Model, ModelRequest } from '@agentclash/models';
import type { RedactionStream, Redactor } from '@agentclash/redaction';

type OnDelta = NonNullable<ModelRequest['onDelta']>;
type Delta = Parameters<OnDelta>[0];

/** At most ten times a second and attempt. */
const PUBLISH_INTERVAL_MS = 100;
/** Text beyond this in one interval is not published live; the reply has all of it. */
const PUBLISHED_CHARACTERS_MAX = 4_096;

/**
 * A model whose pieces come redacted and gathered: a secret is found however the provider cuts it, and a fast model
 * costs no more messages than a slow one.
 */
export function withRedactedDeltas(model: Model, redactor: () => Redactor): Model {
  return {
    ...model,
    async call(request) {
      if (request.onDelta === undefined) return await model.call(request);
      const deltas = new RedactedDeltas(request.onDelta, redactor);
      try {
        return await model.call({ ...request, onDelta: deltas.add });
      } finally {
        deltas.end();
      }
    },
  };
}

/** Pieces of one reply on their way out. */
class RedactedDeltas {
  private kind: Delta['kind'] | undefined;
  private stream: RedactionStream | undefined;
  private buffered = '';
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly publish: OnDelta,
    /** Called with the first delta: the credential of the model was opened by then. */
    private readonly redactor: () => Redactor,
  ) {}

  readonly add: OnDelta = ({ kind, text }) => {
    if (kind !== this.kind) this.end();
    this.kind = kind;
    this.stream ??= this.redactor().stream();
    this.gather(this.stream.push(text));
    this.timer ??= setTimeout(() => this.publishBuffered(), PUBLISH_INTERVAL_MS);
  };

  /** Publishes the rest; later deltas begin a new stream. */
  end(): void {
    if (this.stream !== undefined) this.gather(this.stream.end());
    this.stream = undefined;
    this.publishBuffered();
  }

  private gather(text: string): void {
    this.buffered += text.slice(0, PUBLISHED_CHARACTERS_MAX - this.buffered.length);
  }

  private publishBuffered(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    const { kind, buffered: text } = this;
    this.buffered = '';
    if (kind !== undefined && text !== '') this.publish({ kind, text });
  }
}
