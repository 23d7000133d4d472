import { type AwaitedTurn, type Client, type HistoryEvent, HumanTurnRequest, routes } from '@agentclash/api';
import { textIn } from '@agentclash/domain';
import { CommandError } from '../../command-error.js';
import { allPages, PAGE_SIZE } from '../../lookup/all-pages.js';
import { getAttempt } from '../../lookup/attempts.js';
import type { Session } from '../../session.js';
import { duration } from '../../terminal/figures.js';
import { printable } from '../../terminal/printable.js';
import { promptLine } from '../../terminal/prompt.js';
import { readStdin } from '../../terminal/read-stdin.js';

interface Input {
  attempt: string;
  message?: string;
}

/** What a person who is asked is shown of the conversation. */
const UTTERANCES_SHOWN = 6;
const SPEAKERS: Readonly<Record<string, string>> = {
  'turn.user.message': 'user',
  'turn.assistant.message': 'agent',
};

/** Says what the waiting conversation waits for: the argument, what is typed, or standard input. */
export async function run(session: Session, { attempt: id, message }: Input): Promise<undefined> {
  const client = await session.client();
  const { awaits, state } = await getAttempt(client, id);
  if (!awaits) {
    throw new CommandError('failed', `The attempt is ${state}: it waits for nobody`, {
      hint: 'agentclash run turns shows what waits.',
    });
  }
  const given = message ?? (await read(session, client, { id, awaits }));
  const body = { turn_index: awaits.turn_index, message: given };
  const checked = HumanTurnRequest.safeParse(body);
  if (!checked.success) {
    const choices = checked.error.issues.map(({ path, message: why }) => `${path.join('.')}: ${why}`);
    throw new CommandError('usage', 'This cannot be an answer', { choices });
  }
  const turn = await client.call(routes.attempts.answer, { params: { attempt_id: id }, body });
  session.out.result(turn, () => `Turn ${turn.turn_index} of ${id} is answered`);
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
    // `echo message | agentclash …` ends with a line feed that nobody means.
    return Buffer.from(await readStdin())
      .toString()
      .replace(/\r?\n$/, '');
  }
  const { out } = session;
  for (const { event_type: type, payload } of await lastUtterances(client, id)) {
    out.note(`${out.paint.dim(`${SPEAKERS[type]}:`)} ${printable(textIn(payload, 'message') ?? '')}`);
  }
  const left = duration(Math.max(0, Date.parse(awaits.deadline_at) - Date.now()));
  return await promptLine(out, `Your answer to turn ${awaits.turn_index} (${left} left)`);
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
