import { isExactObject, readJson, withDoubles } from '@agentclash/challengepack';
import { isRecord } from '@agentclash/domain';

/** The JSON object of a judge's reply: in its first readable fenced block, else between the outermost braces. */
export function replyObject(reply: string): Record<string, unknown> | null {
  const fenced = Array.from(reply.matchAll(/```[^\n`]*\n(.*?)```/gs), ([, body = '']) => body);
  const outermost = reply.slice(reply.indexOf('{'), reply.lastIndexOf('}') + 1);
  for (const text of [...fenced, outermost]) {
    const reading = readJson(text);
    if (!reading.ok || !isExactObject(reading.value)) continue;
    const value = withDoubles(reading.value);
    if (isRecord(value)) return value;
  }
  return null;
}
