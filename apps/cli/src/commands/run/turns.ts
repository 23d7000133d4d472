import type { Attempt, AwaitedTurn } from '@agentclash/api';
import { attemptsOf, getRun } from '../../lookup/runs.js';
import type { Session } from '../../session.js';
import { duration } from '../../terminal/figures.js';
import { table } from '../../terminal/table.js';

/** Shows what waits for a person. */
export async function run(session: Session, { run: reference }: { run: string }): Promise<undefined> {
  const { out } = session;
  const client = await session.client();
  const { id } = await getRun(client, reference);
  const items = (await attemptsOf(client, id, { state: 'parked' })).filter(isWaiting);
  const now = Date.now();
  out.result({ items }, () =>
    table(
      items,
      [
        { title: 'AGENT', value: ({ agent_name: agent }) => agent, cutTo: 30 },
        {
          title: 'CASE',
          value: ({ case_key: key, repetition }) => `${key} #${repetition}`,
          cutTo: 40,
        },
        { title: 'TURN', value: ({ awaits }) => String(awaits.turn_index), align: 'right' },
        { title: 'PHASE', value: ({ awaits }) => awaits.phase_id, cutTo: 30 },
        {
          title: 'TIME LEFT',
          value: ({ awaits }) => duration(Math.max(0, Date.parse(awaits.deadline_at) - now)),
          align: 'right',
        },
        { title: 'ATTEMPT', value: ({ id: attempt }) => attempt },
        { title: 'THE AGENT SAID', value: ({ awaits }) => awaits.last_message || '-', cutTo: 60 },
      ],
      { width: out.width, heading: out.paint.dim, empty: 'Nothing waits for a person.' },
    ),
  );
  if (items.length > 0) out.note(out.paint.dim('Answer with: agentclash run answer <attempt> "…"'));
}

function isWaiting(attempt: Attempt): attempt is Attempt & { awaits: AwaitedTurn } {
  return attempt.awaits !== null && attempt.awaits !== undefined;
}
