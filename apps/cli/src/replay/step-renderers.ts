import { numberIn, type Payload } from '@agentclash/domain';
import { bytes } from '../terminal/figures.js';
import { AGENT_STEPS } from './agent-steps.js';
import { CONVERSATION_STEPS } from './conversation-steps.js';
import { ENVIRONMENT_STEPS } from './environment-steps.js';
import type { RenderedStep } from './rendered-step.js';

const STEP_RENDERERS: Readonly<Record<string, (payload: Payload) => RenderedStep>> = {
  ...AGENT_STEPS,
  ...ENVIRONMENT_STEPS,
  ...CONVERSATION_STEPS,
};

/** Tells a step by its type; an end without its start as the whole, and what no version here knows, member by member. */
export function renderStep(type: string, payload: Payload): RenderedStep {
  const rendered = renderedStep(type, payload);
  if (typeof payload.$ref !== 'string') return rendered;
  const size = bytes(numberIn(payload, 'bytes') ?? 0);
  return { ...rendered, lines: [['kept apart', `${size}, too large to be shown: ${payload.$ref}`]] };
}

function renderedStep(type: string, payload: Payload): RenderedStep {
  const base = type.replace(/\.(started|completed|failed)$/, '');
  const name = [type, base].find((each) => Object.hasOwn(STEP_RENDERERS, each));
  const renderer = name === undefined ? undefined : STEP_RENDERERS[name];
  return renderer?.(payload) ?? { title: type.replaceAll('.', ' '), lines: Object.entries(payload) };
}

/** The types that have words of their own. */
export const RENDERED_TYPES: readonly string[] = Object.keys(STEP_RENDERERS);
