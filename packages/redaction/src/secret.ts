import { inspect } from 'node:util';

/** A plaintext that cannot be printed, logged or serialised by accident: `reveal` is the only way to it. */
export class Secret {
  readonly #value: string;

  constructor(
    readonly key: string,
    value: string,
    /** The origins to which it may be sent, as `scheme://host:port` with wildcards; null means any. */
    readonly origins: readonly string[] | null = null,
  ) {
    this.#value = value;
  }

  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return `[secret ${this.key}]`;
  }

  toJSON(): string {
    return this.toString();
  }

  [inspect.custom](): string {
    return this.toString();
  }
}
