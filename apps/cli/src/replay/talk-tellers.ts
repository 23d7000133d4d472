import { numberIn, type Payload, recordOf, recordsIn, textOf, textsIn } from '@agentclash/domain';
import { plural } from '../terminal/figures.js';
import { joined, type Teller, usageText } from './telling.js';

/** What happens in a conversation. */
export const TALK_TELLERS = {
  'turn.user.message': (said) => ({
    title: `turn ${turn(said)} user`,
    subject: joined(textOf(said.actor), phase(said)),
    lines: [['says', said.message]],
  }),
  'turn.user.simulated': (said) => ({
    title: `turn ${turn(said)} user simulated`,
    subject: joined(textOf(said.model), usageText(recordOf(said.usage))),
  }),
  'turn.assistant.message': (said) => ({
    title: `turn ${turn(said)} assistant`,
    lines: [['says', said.message === '' ? '(nothing)' : said.message]],
  }),
  'turn.completed': (said) => ({
    title: `turn ${turn(said)} ended`,
    subject: joined(phase(said), said.mismatch === true && 'not as expected'),
    lines: [['expected', recordsIn(said, 'expects').map(expectation).join('\n')]],
  }),
  'turn.awaiting_human': (said) => ({
    title: `turn ${turn(said)} waits for a person`,
    subject: joined(phase(said), `until ${textOf(said.deadline_at)}`),
  }),
  'turn.phase.skipped': (said) => ({
    title: 'phase skipped',
    subject: joined(textOf(said.phase_id), textOf(said.trigger)),
  }),
  'conversation.completed': (said) => ({
    title: 'conversation ended',
    subject: joined(
      textOf(said.stop_reason),
      plural(numberIn(said, 'turn_count') ?? 0, 'turn'),
      textsIn(said, 'actors_used').join(' and '),
    ),
  }),
} satisfies Record<string, Teller>;

function turn(said: Payload): string {
  return String(numberIn(said, 'turn_index') ?? '');
}

function phase(said: Payload): string {
  const id = textOf(said.phase_id);
  return id && `phase ${id}`;
}

function expectation(said: Payload): string {
  return `${said.passed === true ? '✓' : '✗'} ${textOf(said.key)} (${textOf(said.kind)})`;
}
