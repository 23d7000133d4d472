import type { AttemptPlan } from '@agentclash/attempt-plan';
import type { AttemptEvent, AttemptResult } from '@agentclash/domain';
import {
  type AttemptHistory,
  type AttemptPorts,
  type HumanReply,
  openHistory,
  type ParkedAttempt,
  resumeAttempt,
  runAttempt,
  type SecretResolver,
  systemClock,
} from '@agentclash/engine';

type Given = 'clock' | 'openModel' | 'openProgramModel';

interface DriveAttemptOptions extends Omit<AttemptPorts, Given> {
  plan: AttemptPlan;
  signal: AbortSignal;
  secrets: SecretResolver;
  /** Takes every event in order, numbered and redacted; it must not throw. */
  emit: (event: AttemptEvent) => void;
  eventsMax?: number;
  /** The reply to each turn that waits for a person. */
  reply: HumanReply;
  /** The models of a delivery, whose history redacts the credentials that they open. */
  models: (history: AttemptHistory) => Pick<AttemptPorts, 'openModel' | 'openProgramModel' | 'readVariable'>;
}

/** The end of a delivery; a verifier continues its history. */
export interface DrivenAttempt {
  result: AttemptResult;
  history: AttemptHistory;
}

/** Drives one delivery to its end in this process: nothing is parked. Never rejects. */
export async function driveAttempt(options: DriveAttemptOptions): Promise<DrivenAttempt> {
  const { secrets, emit, eventsMax, reply, models, ...ports } = options;
  let lastSequence: number | undefined;
  const openAfter = (parked?: ParkedAttempt) => {
    const history = openHistory(ports.plan, {
      clock: systemClock,
      secrets,
      emit: (event) => {
        lastSequence = event.sequence_number ?? lastSequence;
        emit(event);
      },
      ...(eventsMax !== undefined && { eventsMax }),
      ...(lastSequence !== undefined && { lastSequence }),
      keptEvents: parked?.state.kept_events,
    });
    return { ...ports, ...models(history), clock: systemClock, history };
  };
  let attempt = openAfter();
  let progress = await runAttempt(attempt);
  while ('parked' in progress) {
    const { parked } = progress;
    attempt = openAfter(parked);
    progress = await resumeAttempt({ ...attempt, parked, reply });
  }
  return { result: progress.ended, history: attempt.history };
}
