import { routes } from '@agentclash/api';
import { getAttempt } from '../../lookup/attempts.js';
import type { Session } from '../../session.js';

interface Input {
  attempt: string;
  phase: string;
}

/** Asks for a manual phase of a conversation. */
export async function run(session: Session, { attempt, phase }: Input): Promise<undefined> {
  const client = await session.client();
  const { id } = await getAttempt(client, attempt);
  const requested = await client.call(routes.attempts.requestPhase, {
    params: { attempt_id: id },
    body: { phase_id: phase },
  });
  session.out.result(requested, () => `Phase ${phase} will be played when ${id} reaches it`);
}
