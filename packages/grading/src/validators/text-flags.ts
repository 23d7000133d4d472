import { collapseWhiteSpace, foldCase, trim } from '@agentclash/challengepack';

/** The text as the flags of a comparison let it be seen. */
export function flagged(text: string, flags: { case_insensitive?: boolean; normalize?: boolean }): string {
  const spaced = flags.normalize ? collapseWhiteSpace(trim(text)) : text;
  return flags.case_insensitive ? foldCase(spaced) : spaced;
}
