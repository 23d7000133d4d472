import type { TranscriptMatch } from '@agentclash/contracts';

/**
 * The matches of a search in transcripts, each text of a delivery once, at its first event. A reply of a model is in the
 * event of its call and in that of the final output, a task in the start of the attempt and in the first prompt.
 */
export function distinctMatches(matches: readonly TranscriptMatch[]): TranscriptMatch[] {
  const seen = new Set<string>();
  return matches.filter(({ attempt_id, delivery, before, match, after }) => {
    const key = JSON.stringify([attempt_id, delivery, before, match, after]);
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}
