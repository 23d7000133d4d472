import type { PlannedAgent, PlannedConversation } from '@agentclash/attempt-plan';
import type { AwaitedTurn } from '@agentclash/domain';
import type { DriverContext, DriverResult } from '../agents/driver.js';
import { AttemptEnded } from '../outcome/attempt-end.js';
import { openSide } from './agent-side.js';
import { Conversation } from './conversation.js';
import { FIRST } from './progress.js';
import type { AgentMemory, ConversationProgress, HumanReply } from './state.js';

/** A conversation that waits for a person. */
export interface ParkedConversation {
  awaited: AwaitedTurn;
  progress: ConversationProgress;
  agent: AgentMemory;
}

/** The state at which a conversation resumes, and the person's reply. */
export interface Resumption {
  progress: ConversationProgress;
  agent: AgentMemory;
  reply: HumanReply;
}

/** The context of a conversation: the driver's, and the account of the simulated user. */
export type ConversationContext = DriverContext & {
  simulatorSpending: DriverContext['spending'];
  /** Runs the validator of a phase's gate on the workspace as it is; null: there is no score. Throws AttemptEnded. */
  gradePhase?: ((phaseId: string, validatorKey: string) => Promise<number | null>) | undefined;
};

/** Runs a conversation of an agent until it ends or waits for a person. Throws AttemptEnded. */
export async function converse(
  agent: PlannedAgent,
  context: ConversationContext,
  resumed?: Resumption,
): Promise<DriverResult | ParkedConversation> {
  const side = openSide(agent, context, resumed?.agent);
  const progress = resumed?.progress ?? FIRST;
  const conversation = new Conversation(plannedIn(context), { side, context, progress });
  let isParked = false;
  try {
    const result = await conversation.resume(resumed?.reply);
    isParked = 'awaited' in result;
    return result;
  } finally {
    if (!isParked) await side.close?.();
  }
}

function plannedIn({ plan }: DriverContext): PlannedConversation {
  if (plan.conversation) return plan.conversation;
  const message = 'the plan has no conversation';
  throw new AttemptEnded({ because: 'infra', code: 'malformed_plan', message });
}
