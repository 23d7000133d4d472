import type { ListFilter } from '../../resources/kind.js';
import type { KindName } from '../../resources/kind-names.js';
import { KINDS } from '../../resources/kinds.js';
import type { CommandModule } from '../../tree/act.js';

export function listOf(kind: KindName): CommandModule<ListFilter> {
  return {
    async run(session, { status }) {
      const { listAll, table } = KINDS[kind];
      const items = await listAll(await session.client(), status && { status });
      session.out.result({ items }, () => table(items, session.out));
      return undefined;
    },
  };
}
