import { plural } from '../terminal/figures.js';
import { numberOf, partOf, partsOf, type Said, textOf, textsOf } from './said.js';
import { joined, type Teller, usageText } from './telling.js';

/** What happens in a conversation. */
export const TALK_TELLERS = {
  'turn.user.message': (said) => ({
    title: `turn ${turn(said)} user`,
    subject: joined(textOf(said, 'actor'), phase(said)),
    lines: [['says', said.message]],
  }),
  'turn.user.simulated': (said) => ({
    title: `turn ${turn(said)} user simulated`,
    subject: joined(textOf(said, 'model'), usageText(partOf(said, 'usage'))),
  }),
  'turn.assistant.message': (said) => ({
    title: `turn ${turn(said)} assistant`,
    lines: [['says', said.message === '' ? '(nothing)' : said.message]],
  }),
  'turn.completed': (said) => ({
    title: `turn ${turn(said)} ended`,
    subject: joined(phase(said), said.mismatch === true && 'not as expected'),
    lines: [['expected', partsOf(said, 'expects').map(expectation).join('\n')]],
  }),
  'turn.awaiting_human': (said) => ({
    title: `turn ${turn(said)} waits for a person`,
    subject: joined(phase(said), `until ${textOf(said, 'deadline_at')}`),
  }),
  'turn.phase.skipped': (said) => ({
    title: 'phase skipped',
    subject: joined(textOf(said, 'phase_id'), textOf(said, 'trigger')),
  }),
  'conversation.completed': (said) => ({
    title: 'conversation ended',
    subject: joined(
      textOf(said, 'stop_reason'),
      plural(numberOf(said, 'turn_count') ?? 0, 'turn'),
      textsOf(said, 'actors_used').join(' and '),
    ),
  }),
} satisfies Record<string, Teller>;

function turn(said: Said): string {
  return String(numberOf(said, 'turn_index') ?? '');
}

function phase(said: Said): string {
  const id = textOf(said, 'phase_id');
  return id && `phase ${id}`;
}

function expectation(said: Said): string {
  return `${said.passed === true ? '✓' : '✗'} ${textOf(said, 'key')} (${textOf(said, 'kind')})`;
}
