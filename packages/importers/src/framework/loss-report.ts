export const FATES = ['carried', 'changed', 'dropped'] as const;
export type Fate = (typeof FATES)[number];

/** The fate of one key of the source. */
export interface LossItem {
  /** The file or entry of the source that has the key. */
  where: string;
  key: string;
  fate: Fate;
  /** The path in the pack for what is carried; the difference, or the reason of the loss. */
  reason: string;
}

/** Everything that was read, and its fate. */
export interface LossReport {
  kind: string;
  items: LossItem[];
  warnings: string[];
}

/** Collects the fates of keys in the order of reading. The first fate of a key is kept if the second is the same. */
export class Losses {
  readonly items: LossItem[] = [];
  readonly warnings: string[] = [];
  readonly #seen = new Set<string>();

  carried(where: string, key: string, reason: string): void {
    this.#add({ where, key, fate: 'carried', reason });
  }

  changed(where: string, key: string, reason: string): void {
    this.#add({ where, key, fate: 'changed', reason });
  }

  dropped(where: string, key: string, reason: string): void {
    this.#add({ where, key, fate: 'dropped', reason });
  }

  /** Adds what another has collected. */
  add({ items, warnings }: Losses): void {
    for (const item of items) this.#add(item);
    for (const text of warnings) this.warn(text);
  }

  warn(text: string): void {
    if (!this.warnings.includes(text)) this.warnings.push(text);
  }

  #add(item: LossItem): void {
    const identity = JSON.stringify([item.where, item.key, item.fate, item.reason]);
    if (this.#seen.has(identity)) return;
    this.#seen.add(identity);
    this.items.push(item);
  }
}

/** True when the pack is not all that the source was. */
export function isLossy({ items }: Pick<LossReport, 'items'>): boolean {
  return items.some(({ fate }) => fate !== 'carried');
}
