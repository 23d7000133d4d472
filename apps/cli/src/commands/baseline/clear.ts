import { routes } from '@agentclash/api';
import { chosenScope } from '../../lookup/baselines.js';
import type { Session } from '../../session.js';
import { oneLine } from '../../terminal/printable.js';
import { baselineTitle } from './baseline-line.js';

interface Input {
  name: string;
  run?: string;
  pack?: string;
  inputSet?: string;
}

export async function run(session: Session, { name, ...choice }: Input): Promise<undefined> {
  const client = await session.client();
  const query = await chosenScope(client, choice);
  const { pack, input_set } = await client.call(routes.baselines.get, { params: { name }, query });
  const one = { ...(pack !== undefined && { pack }), ...(input_set !== undefined && { input_set }) };
  await client.call(routes.baselines.remove, { params: { name }, query: one });
  session.out.result({ name, ...one, deleted: true }, () =>
    oneLine(`${baselineTitle({ name, pack, input_set })} is cleared`),
  );
}
