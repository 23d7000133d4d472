import { RE2JS } from 're2js';
import type { PatternReply, PatternTask } from './bounded-work.js';

/** Searches in the calling thread: its time is linear in the texts, with a factor that a pattern may make large. */
export function searchPattern({ pattern, isCaseSensitive, texts, max }: PatternTask): PatternReply {
  let regex: RE2JS;
  try {
    regex = RE2JS.compile(pattern, isCaseSensitive ? 0 : RE2JS.CASE_INSENSITIVE);
  } catch {
    return 'invalid';
  }
  const found: number[] = [];
  for (const [index, text] of texts.entries()) {
    if (found.length >= max) break;
    if (regex.test(text)) found.push(index);
  }
  return found;
}
