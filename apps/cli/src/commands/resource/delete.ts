import type { KindName } from '../../resources/kind-names.js';
import { KINDS } from '../../resources/kinds.js';
import type { CommandModule } from '../../tree/act.js';

export function deleteOf(kind: KindName): CommandModule<{ name: string }> {
  return {
    async run(session, { name: reference }) {
      const { get, remove } = KINDS[kind];
      const client = await session.client();
      const { id, name } = await get(client, reference);
      await remove(client, id);
      // Runs name deployments for as long as they are kept.
      const [fact, word] =
        kind === 'deployment' ? [{ status: 'archived' }, 'archived'] : [{ deleted: true }, 'deleted'];
      session.out.result({ id, name, ...fact }, () => `${name} is ${word}`);
      return undefined;
    },
  };
}
