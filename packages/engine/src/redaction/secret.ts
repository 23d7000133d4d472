import { inspect } from 'node:util';

/** A plaintext that cannot be printed, logged or serialised by accident: `reveal` is the only way to it. */
export class Secret {
  readonly #value: string;

  constructor(
    readonly key: string,
    value: string,
    /** Names or globs of the hosts it may go to; empty means any. */
    readonly hosts: readonly string[] = [],
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
