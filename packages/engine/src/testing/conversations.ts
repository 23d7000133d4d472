import type {
  AttemptPlan,
  PlannedAgent,
  PlannedConversation,
  PlannedPhase,
  ScriptStep,
} from '@agentclash/attempt-plan';
import type { AttemptEvent } from '@agentclash/domain';
import type { ParkedAttempt } from '../attempt/result.js';
import { type RunAttemptOptions, runAttempt } from '../attempt/run-attempt.js';
import type { AttemptHarness } from './attempt-harness.js';
import { FakeModel, type FakeReply, fakeModels, modelConfig } from './fake-model.js';
import { attemptPlan } from './plans.js';

/** A phase that is always entered, with these messages. */
export const scriptedPhase = (id: string, ...messages: string[]): PlannedPhase => ({
  id,
  trigger: 'always',
  actor: 'scripted',
  turns: messages.map((message) => ({ message, expects: [] })),
});

/** A phase that a person plays. */
export const person = (
  changes: { trigger?: PlannedPhase['trigger']; on_timeout?: 'stop' | 'fail' } = {},
): PlannedPhase => ({
  id: 'person',
  trigger: 'always',
  actor: 'human',
  timeout_ms: 60_000,
  on_timeout: 'stop',
  ...changes,
});

export const modelAgent: PlannedAgent = { kind: 'model', config: modelConfig('agent') };
export const scripted = (...steps: ScriptStep[]): PlannedAgent => ({ kind: 'scripted', config: { steps } });

/** The agent of the tests with a model. */
export const withModel = (...replies: FakeReply[]) => {
  const model = new FakeModel(replies, 'agent');
  return { model, openModel: fakeModels(model) };
};
export const call = (name: string, args: Record<string, string>): FakeReply => ({ calls: [{ name, args }] });

export function conversationPlan(
  agent: PlannedAgent,
  phases: PlannedPhase[],
  changes: Partial<PlannedConversation> = {},
): AttemptPlan {
  const conversation = { turns_max: 50, phases, requested_phases: [], human_turns: [], ...changes };
  return attemptPlan(agent, { mode: 'multi_turn', conversation });
}

/** Drives a plan until it waits for a person. */
export async function untilParked(
  harness: AttemptHarness,
  plan: AttemptPlan,
  changes: Partial<Pick<RunAttemptOptions, 'sandboxes'>> = {},
): Promise<ParkedAttempt & { options: RunAttemptOptions; emitted: AttemptEvent[] }> {
  const { history, emitted } = harness.record(plan);
  const options = { ...harness.ports(), plan, history, signal: new AbortController().signal, ...changes };
  const progress = await runAttempt(options);
  if ('ended' in progress) throw new Error(`the attempt ended: ${progress.ended.error?.message}`);
  return { ...progress.parked, options, emitted };
}
