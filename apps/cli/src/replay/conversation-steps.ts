import { numberIn, type Payload, recordOf, recordsIn, textOf, textsIn } from '@agentclash/domain';
import { plural } from '../terminal/figures.js';
import { joined, type StepRenderers, usageText } from './rendered-step.js';

/** The steps of a conversation. */
export const CONVERSATION_STEPS = {
  'turn.user.message': (payload) => ({
    title: `turn ${turn(payload)} user`,
    subject: joined(textOf(payload.actor), phase(payload)),
    lines: [['text', payload.message]],
  }),
  'turn.user.simulated': (payload) => ({
    title: `turn ${turn(payload)} user simulated`,
    subject: joined(textOf(payload.model), usageText(recordOf(payload.usage))),
  }),
  'turn.assistant.message': (payload) => ({
    title: `turn ${turn(payload)} assistant`,
    lines: [['text', payload.message === '' ? '(nothing)' : payload.message]],
  }),
  'turn.completed': (payload) => ({
    title: `turn ${turn(payload)} ended`,
    subject: joined(phase(payload), payload.mismatch === true && 'not as expected'),
    lines: [['expected', recordsIn(payload, 'expects').map(expectation).join('\n')]],
  }),
  'turn.awaiting_human': (payload) => ({
    title: `turn ${turn(payload)} waits for a person`,
    subject: joined(phase(payload), `until ${textOf(payload.deadline_at)}`),
  }),
  'turn.phase.skipped': (payload) => ({
    title: 'phase skipped',
    subject: joined(textOf(payload.phase_id), textOf(payload.trigger)),
  }),
  'conversation.completed': (payload) => ({
    title: 'conversation ended',
    subject: joined(
      textOf(payload.stop_reason),
      plural(numberIn(payload, 'turn_count') ?? 0, 'turn'),
      textsIn(payload, 'actors_used').join(' and '),
    ),
  }),
} satisfies StepRenderers;

function turn(payload: Payload): string {
  return String(numberIn(payload, 'turn_index') ?? '');
}

function phase(payload: Payload): string {
  const id = textOf(payload.phase_id);
  return id && `phase ${id}`;
}

function expectation(payload: Payload): string {
  return `${payload.passed === true ? '✓' : '✗'} ${textOf(payload.key)} (${textOf(payload.kind)})`;
}
