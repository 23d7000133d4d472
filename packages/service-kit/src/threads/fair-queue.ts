/** A queue of tenants' items: round robin between tenants, first in first out within one. */
export class FairQueue<T> {
  /** In the order of the round robin. */
  private readonly waiting = new Map<string, T[]>();

  push(tenant: string, item: T): void {
    const items = this.waiting.get(tenant);
    if (items === undefined) this.waiting.set(tenant, [item]);
    else items.push(item);
  }

  /** Removes the next item of the first eligible tenant, which moves to the end of the round robin. */
  shift(isEligible: (tenant: string) => boolean): { tenant: string; item: T } | undefined {
    for (const [tenant, items] of this.waiting) {
      if (!isEligible(tenant)) continue;
      const [item, ...rest] = items;
      this.waiting.delete(tenant);
      if (rest.length > 0) this.waiting.set(tenant, rest);
      if (item !== undefined) return { tenant, item };
    }
    return undefined;
  }

  remove(tenant: string, item: T): void {
    const rest = (this.waiting.get(tenant) ?? []).filter((other) => other !== item);
    if (rest.length > 0) this.waiting.set(tenant, rest);
    else this.waiting.delete(tenant);
  }

  countOf(tenant: string): number {
    return this.waiting.get(tenant)?.length ?? 0;
  }
}
