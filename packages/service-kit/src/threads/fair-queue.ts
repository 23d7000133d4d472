/** Items that wait, each of a tenant; tenants take turns, and within a tenant the first comes first. */
export class FairQueue<T> {
  /** In the order in which their turns come. */
  private readonly waiting = new Map<string, T[]>();

  push(tenant: string, item: T): void {
    const items = this.waiting.get(tenant);
    if (items === undefined) this.waiting.set(tenant, [item]);
    else items.push(item);
  }

  /** The next item of the first tenant that may have one; that tenant comes last from then on. */
  shift(mayHave: (tenant: string) => boolean): { tenant: string; item: T } | undefined {
    for (const [tenant, items] of this.waiting) {
      if (!mayHave(tenant)) continue;
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
