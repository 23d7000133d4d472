/** How a model call that held a slot of its account ended: `rate_limited` is a 429 or 529. */
export const SLOT_OUTCOMES = ['success', 'rate_limited', 'failed'] as const;
export type SlotOutcome = (typeof SLOT_OUTCOMES)[number];
