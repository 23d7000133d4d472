import { z } from 'zod';

/** A set of filters of a list under a name. */
const View = z.strictObject({ name: z.string().min(1).max(60), query: z.string().max(2_000) });
export type View = z.infer<typeof View>;

const VIEWS_MAX = 30;

const Stored = z.array(View).max(VIEWS_MAX);

type Store = Pick<Storage, 'getItem' | 'setItem'>;

/** The saved views of one list of one workspace, in this browser; by name. */
export class StoredViews {
  private readonly key: string;

  constructor(
    private readonly store: Store,
    workspaceId: string,
    list: string,
  ) {
    this.key = `agentclash.views.${workspaceId}.${list}`;
  }

  /** A text under the key that is no list of views counts as none. */
  all(): readonly View[] {
    try {
      const found = Stored.safeParse(JSON.parse(this.store.getItem(this.key) ?? '[]'));
      return found.data ?? [];
    } catch {
      return [];
    }
  }

  /** A view of the same name is replaced. Nothing changes where there are too many, or the storage is full. */
  save(view: View): readonly View[] {
    const others = this.all().filter(({ name }) => name !== view.name);
    return others.length < VIEWS_MAX ? this.write([...others, view]) : this.all();
  }

  remove(name: string): readonly View[] {
    return this.write(this.all().filter((view) => view.name !== name));
  }

  private write(views: readonly View[]): readonly View[] {
    const sorted = [...views].sort((a, b) => a.name.localeCompare(b.name));
    try {
      this.store.setItem(this.key, JSON.stringify(sorted));
    } catch {
      return this.all();
    }
    return sorted;
  }
}
