import {
  type Attempt,
  type AwaitedTurn,
  type Client,
  type HistoryEvent,
  HumanTurnRequest,
  routes,
} from '@agentclash/api';
import { textIn } from '@agentclash/domain';
import { CommandError } from '../../command-error.js';
import { allPages, PAGE_SIZE } from '../../lookup/all-pages.js';
import { attemptsOf, getAttempt, getRun } from '../../lookup/runs.js';
import type { Session } from '../../session/session.js';
import { duration } from '../../terminal/figures.js';
import { printTable } from '../../terminal/print-table.js';
import { printable } from '../../terminal/printable.js';
import { promptLine } from '../../terminal/prompt.js';
import { readStdin } from '../../terminal/read-stdin.js';
import { idColumn } from '../../terminal/table.js';

/** Shows what waits for a person. */
export async function listTurns(session: Session, { run: reference }: { run: string }): Promise<undefined> {
  const { out } = session;
  const client = await session.client();
  const { id } = await getRun(client, reference);
  const items = (await attemptsOf(client, id, { state: 'parked' })).filter(isWaiting);
  const now = Date.now();
  printTable(out, items, {
    columns: [
      { title: 'AGENT', value: ({ agent_name: agent }) => agent, cutTo: 10 },
      {
        title: 'CASE',
        value: ({ case_key: key, repetition }) => `${key} #${repetition}`,
        cutTo: 12,
      },
      { title: 'TURN', value: ({ awaits }) => String(awaits.turn_index), align: 'right' },
      { title: 'PHASE', value: ({ awaits }) => awaits.phase_id, cutTo: 10, leaveOut: 1 },
      {
        title: 'TIME LEFT',
        value: ({ awaits }) => duration(Math.max(0, Date.parse(awaits.deadline_at) - now)),
        align: 'right',
      },
      idColumn('ATTEMPT', ({ id: attempt }) => attempt),
      { title: 'LAST MESSAGE', value: ({ awaits }) => awaits.last_message || '-', cutTo: 14 },
    ],
    empty: 'Nothing waits for a person.',
  });
  if (items.length > 0) out.note(out.paint.dim('Reply with: agentclash run answer <attempt> "…"'));
}

function isWaiting(attempt: Attempt): attempt is Attempt & { awaits: AwaitedTurn } {
  return attempt.awaits !== null && attempt.awaits !== undefined;
}

interface ReplyInput {
  attempt: string;
  message?: string;
}

/** The end of the conversation that is shown before the prompt. */
const UTTERANCES_SHOWN = 6;
const SPEAKERS: Readonly<Record<string, string>> = {
  'turn.user.message': 'user',
  'turn.assistant.message': 'agent',
};

/** Sends the reply that the conversation waits for: the argument, what is typed, or standard input. */
export async function replyToTurn(
  session: Session,
  { attempt: id, message }: ReplyInput,
): Promise<undefined> {
  const client = await session.client();
  const { awaits, state } = await getAttempt(client, id);
  if (!awaits) {
    throw new CommandError('failed', `The attempt is ${state}: not waiting for input`, {
      hint: 'agentclash run turns shows what waits.',
    });
  }
  const given = message ?? (await read(session, client, { id, awaits }));
  const body = { turn_index: awaits.turn_index, message: given };
  const checked = HumanTurnRequest.safeParse(body);
  if (!checked.success) {
    const choices = checked.error.issues.map(({ path, message: why }) => `${path.join('.')}: ${why}`);
    throw new CommandError('usage', 'Invalid reply', { choices });
  }
  const turn = await client.call(routes.attempts.answer, { params: { attempt_id: id }, body });
  session.out.result(turn, () => `Replied to turn ${turn.turn_index} of ${id}`);
}

async function read(
  session: Session,
  client: Client,
  { id, awaits }: { id: string; awaits: AwaitedTurn },
): Promise<string> {
  if (!session.canPrompt) {
    if (process.stdin.isTTY) {
      throw new CommandError('usage', 'There is no message', {
        hint: 'Give it as an argument, or pipe it in.',
      });
    }
    // `echo message | agentclash …` ends with a line feed that is not part of the message.
    return Buffer.from(await readStdin())
      .toString()
      .replace(/\r?\n$/, '');
  }
  const { out } = session;
  for (const { event_type: type, payload } of await lastUtterances(client, id)) {
    out.note(`${out.paint.dim(`${SPEAKERS[type]}:`)} ${printable(textIn(payload, 'message') ?? '')}`);
  }
  const left = duration(Math.max(0, Date.parse(awaits.deadline_at) - Date.now()));
  return await promptLine(out, `Your reply to turn ${awaits.turn_index} (${left} left)`);
}

async function lastUtterances(client: Client, id: string): Promise<HistoryEvent[]> {
  const events = await allPages((cursor) =>
    client.call(routes.attempts.events, {
      params: { attempt_id: id },
      query: { limit: PAGE_SIZE, cursor },
    }),
  );
  return events.filter(({ event_type }) => event_type in SPEAKERS).slice(-UTTERANCES_SHOWN);
}

interface PhaseInput {
  attempt: string;
  phase: string;
}

/** Requests a manual phase of a conversation. */
export async function requestPhase(session: Session, { attempt, phase }: PhaseInput): Promise<undefined> {
  const client = await session.client();
  const { id } = await getAttempt(client, attempt);
  const requested = await client.call(routes.attempts.requestPhase, {
    params: { attempt_id: id },
    body: { phase_id: phase },
  });
  session.out.result(requested, () => `Phase ${phase} will be played when ${id} reaches it`);
}
