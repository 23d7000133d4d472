import { readBooleanText } from '@agentclash/challengepack';

/** The words of a solution by which nothing can be found out: a constant reply of that kind is then right. */
const IGNORANCE =
  /\b(sorry|cannot|can ?not|can['’]t|unable|unknown|undetermined|insufficient|impossible|refus\w*|not (enough|known|given|stated|possible|specified|available)|do(n['’]t| not) know|n\/a|none)\b/i;

/**
 * True where a reply may be right, as the reply of the solution has the same value, in another form, or has it as words of its own.
 * False for a reply that is certainly another one.
 */
export function isRightReply(text: string, solution: string): boolean {
  const [reply, right] = [plain(text), plain(solution)];
  if (reply === right || text.trim() === solution.trim()) return true;
  if (reply !== '' && (hasWords(right, reply) || hasWords(reply, right))) return true;
  const [value, expected] = [readBooleanText(reply), readBooleanText(right)];
  if (value !== null && value === expected) return true;
  if (reply !== '' && right !== '' && Number(reply) === Number(right)) return true;
  return IGNORANCE.test(text) && IGNORANCE.test(solution);
}

/** Without marks at both ends, and without differences of case and white space. An empty structure of JSON is one of them. */
function plain(text: string): string {
  return text
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .replace(/^[^\p{L}\p{N}-]+|[^\p{L}\p{N}]+$/gu, '');
}

function hasWords(text: string, words: string): boolean {
  if (words === '') return false;
  return ` ${text.replace(/[^\p{L}\p{N}-]+/gu, ' ')} `.includes(
    ` ${words.replace(/[^\p{L}\p{N}-]+/gu, ' ')} `,
  );
}
