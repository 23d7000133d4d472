import { routes } from '@agentclash/api';
import { chosenScope } from '../../lookup/baselines.js';
import type { Session } from '../../session.js';
import { baselineLine } from './baseline-line.js';
import { listBaselines } from './list.js';

interface Input {
  name?: string;
  run?: string;
  pack?: string;
  inputSet?: string;
}

/** One baseline, or all of them. */
export async function run(session: Session, { name, ...choice }: Input): Promise<undefined> {
  const { out } = session;
  const client = await session.client();
  const scope = await chosenScope(client, choice);
  if (name !== undefined) {
    const baseline = await client.call(routes.baselines.get, { params: { name }, query: scope });
    out.result(baseline, () => baselineLine(baseline));
    return;
  }
  await listBaselines(session, client, scope);
}
