import type { ExecutionEventType } from '@agentclash/domain';

/**
 * The messages that a model was sent: made of the task and of what other events hold, so that grading neither needs
 * nor reads it, and evidence is the same with and without it.
 */
const SENT_MESSAGES = 'model.call.messages' satisfies ExecutionEventType;

/** Requests and replies that are kept for replays. */
export const RECORDING: string[] = [
  'model.call.recorded',
  'model.recording.stopped',
] satisfies ExecutionEventType[];

/** How far an image was: a fact of the machine. */
const IMAGE_PROGRESS = 'sandbox.image.progressed' satisfies ExecutionEventType;

/** Event types that grading does not receive. */
export const NO_EVIDENCE: string[] = [SENT_MESSAGES, IMAGE_PROGRESS, ...RECORDING];
