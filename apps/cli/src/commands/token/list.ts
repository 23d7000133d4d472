import { listTokens } from '../../lookup/tokens.js';
import type { Session } from '../../session.js';
import { moment } from '../../terminal/figures.js';
import { table } from '../../terminal/table.js';

export async function run(session: Session): Promise<undefined> {
  const { out } = session;
  const items = await listTokens(await session.tokensClient());
  out.result({ items }, () =>
    table(
      items,
      [
        { title: 'TOKEN', value: ({ name }) => name, style: out.paint.bold },
        { title: 'ROLE', value: ({ role }) => role },
        { title: 'CREATED', value: ({ created_at: at }) => moment(at) },
        { title: 'BY', value: ({ created_by: by }) => by },
        { title: 'EXPIRES', value: ({ expires_at: at }) => (at === null ? 'never' : moment(at)) },
        { title: 'LAST USED', value: ({ last_used_at: at }) => moment(at) },
        { title: 'ID', value: ({ id }) => id },
      ],
      { heading: out.paint.dim },
    ),
  );
}
