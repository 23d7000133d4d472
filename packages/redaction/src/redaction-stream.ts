import type { Lexicon } from './lexicon.js';
import { Scanner } from './scanner.js';
import { Selection } from './selection.js';

/** Redacts text in pieces. Text that could still become part of a match is held back. */
export class RedactionStream {
  private held = '';
  /** Where `held` begins in the whole input. */
  private origin = 0;
  private readonly selection = new Selection();
  private readonly scanner: Scanner;

  constructor(
    private readonly lexicon: Lexicon,
    private readonly markOf: (key: string) => string,
  ) {
    this.scanner = new Scanner(lexicon.automaton, (span) => this.selection.add(span));
  }

  /** The part of the input so far that is decided. */
  push(text: string): string {
    this.held += text;
    this.scanner.feed(text);
    return this.release(this.scanner.settled);
  }

  /** The rest. */
  end(): string {
    return this.release(this.origin + this.held.length);
  }

  private release(settled: number): string {
    const { chosen, until } = this.selection.take(settled);
    let output = '';
    let at = this.origin;
    for (const { start, end, label } of chosen) {
      output += this.held.slice(at - this.origin, start - this.origin);
      output += this.markOf(this.lexicon.keys[label] ?? '');
      at = end;
    }
    output += this.held.slice(at - this.origin, until - this.origin);
    this.held = this.held.slice(until - this.origin);
    this.origin = until;
    return output;
  }
}
