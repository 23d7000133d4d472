import type { AuditedCase, AuditedPack } from '../pack/audited-pack.js';
import { type Points, pointsOf } from './points.js';
import type { TrialPorts } from './ports.js';
import { securityOf, type TrialResult } from './trial.js';

/**
 * The points of a trial if its agent had replied with another text and done nothing else differently: scored without another
 * attempt, as validators of a reply read nothing but it. Undefined where the agent replied with nothing.
 */
export async function pointsOfReply(
  { evidence }: TrialResult,
  text: string,
  { case: each, pack, ports }: { case: AuditedCase; pack: AuditedPack; ports: TrialPorts },
): Promise<Points | undefined> {
  const at = evidence.events.findLastIndex(({ event_type }) => event_type === 'system.output.finalized');
  const event = evidence.events[at];
  if (!event) return undefined;
  const events = evidence.events.with(at, { ...event, payload: { ...event.payload, final_output: text } });
  return pointsOf(await ports.score(pack.spec, { ...evidence, events }, securityOf(pack, each)));
}
