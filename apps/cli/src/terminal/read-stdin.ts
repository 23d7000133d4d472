import { CommandError } from '../command-error.js';
import type { Output } from './output.js';
import { promptHidden } from './prompt.js';

/** All of standard input as bytes. */
export async function readStdin(): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Uint8Array);
  return Buffer.concat(chunks);
}

/** A value that is never shown: from a prompt where a person can reply, else from standard input. */
export async function readHidden(
  session: { readonly canPrompt: boolean; readonly out: Output },
  { what, hint }: { what: string; hint: string },
): Promise<string> {
  if (session.canPrompt) return promptHidden(session.out, `Value of ${what}`);
  if (process.stdin.isTTY) throw new CommandError('usage', `No value for ${what}`, { hint });
  const bytes = await readStdin();
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new CommandError('usage', `The value of ${what} is not UTF-8 text`);
  }
  // `echo value | agentclash …` ends with a line feed that is not part of the value.
  return text.replace(/\r?\n$/, '');
}
