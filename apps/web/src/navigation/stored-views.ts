import { recordOf } from '@agentclash/domain';

/** A set of filters of a list under a name. */
export interface View {
  name: string;
  query: string;
}

const VIEWS_MAX = 30;

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
      const found: unknown = JSON.parse(this.store.getItem(this.key) ?? '[]');
      return Array.isArray(found) && found.every(isView) ? found : [];
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

function isView(value: unknown): value is View {
  const { name, query } = recordOf(value);
  return typeof name === 'string' && typeof query === 'string';
}
