import { suggestedName } from './nearest-name.js';

const COMPARISONS_MAX = 200_000;

/**
 * Suggests names out of what one document declares. Many unknown names among many known ones would take long: beyond a
 * number of comparisons nothing is suggested any more.
 */
export class NameFinder {
  #comparisons = 0;

  suggest(name: string, known: ReadonlySet<string>): string | undefined {
    this.#comparisons += known.size;
    return this.#comparisons > COMPARISONS_MAX ? undefined : suggestedName(name, known);
  }
}
