import { AttemptEnded, unlessAborted } from '../outcome/attempt-end.js';
import { type ReadReply, type ReplyForm, type ReplyTask, readHere } from '../replies/read-reply.js';
import type { DriverContext } from './driver.js';

/** Reads a reply of an agent. Throws AttemptEnded when it takes too much to read, or the stage has ended. */
export async function readAgentReply<F extends ReplyForm>(
  task: ReplyTask<F>,
  { stage, readReplies = readHere }: Pick<DriverContext, 'readReplies' | 'stage'>,
): Promise<ReadReply<F>> {
  const reply = await unlessAborted(readReplies(task, stage), stage.signal);
  if (reply !== 'overrun') return reply;
  const message = 'the reply takes too much time or memory to read';
  throw new AttemptEnded({ because: 'agent_error', code: 'malformed_reply', message });
}
