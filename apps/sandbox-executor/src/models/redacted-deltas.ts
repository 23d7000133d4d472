import type { Model, ModelRequest } from '@agentclash/models';
import type { RedactionStream, Redactor } from '@agentclash/redaction';

type Hear = NonNullable<ModelRequest['onDelta']>;
type Delta = Parameters<Hear>[0];

/** At most ten times a second and attempt. */
const TELL_EVERY_MS = 100;
/** What a model says beyond this in one such moment is not told live; its reply has all of it. */
const TOLD_CHARACTERS_MAX = 4_096;

/**
 * A model whose pieces come redacted and gathered: a secret is found however the provider cuts it, and a fast model
 * costs no more messages than a slow one.
 */
export function withSpokenDeltas(model: Model, redactor: () => Redactor): Model {
  return {
    ...model,
    async call(request) {
      if (request.onDelta === undefined) return await model.call(request);
      const spoken = new SpokenDeltas(request.onDelta, redactor);
      try {
        return await model.call({ ...request, onDelta: spoken.hear });
      } finally {
        spoken.end();
      }
    },
  };
}

/** Pieces of one reply on their way out. */
class SpokenDeltas {
  private kind: Delta['kind'] | undefined;
  private stream: RedactionStream | undefined;
  private waiting = '';
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly tell: Hear,
    /** Asked when the model begins to speak: its credential was opened by then. */
    private readonly redactor: () => Redactor,
  ) {}

  readonly hear: Hear = ({ kind, text }) => {
    if (kind !== this.kind) this.end();
    this.kind = kind;
    this.stream ??= this.redactor().stream();
    this.gather(this.stream.push(text));
    this.timer ??= setTimeout(() => this.tellWaiting(), TELL_EVERY_MS);
  };

  /** Tells what is left; what comes later begins anew. */
  end(): void {
    if (this.stream !== undefined) this.gather(this.stream.end());
    this.stream = undefined;
    this.tellWaiting();
  }

  private gather(text: string): void {
    this.waiting += text.slice(0, TOLD_CHARACTERS_MAX - this.waiting.length);
  }

  private tellWaiting(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    const { kind, waiting: text } = this;
    this.waiting = '';
    if (kind !== undefined && text !== '') this.tell({ kind, text });
  }
}
