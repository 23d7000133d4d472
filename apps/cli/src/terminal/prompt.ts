import { createInterface } from 'node:readline/promises';
import { CommandError } from '../command-error.js';
import type { Output } from './output.js';
import { oneLine } from './printable.js';

const INTERRUPT = '\u0003';
const END = '\u0004';

/** Asks for one of several; Enter takes the first. Only where somebody can answer. */
export async function choose<T>(
  output: Output,
  question: string,
  choices: readonly { label: string; value: T }[],
): Promise<T> {
  choices.forEach(({ label }, index) => {
    output.stderr.write(`  ${index + 1}) ${oneLine(label)}\n`);
  });
  for (;;) {
    const answer = (await askLine(output, `${question} [1] `)) || '1';
    const chosen = /^\d+$/.test(answer) ? choices[Number(answer) - 1] : undefined;
    if (chosen !== undefined) return chosen.value;
    output.stderr.write(`A number from 1 to ${choices.length}, please.\n`);
  }
}

/** Asks for some of several, as numbers; Enter takes all. */
export async function chooseSome<T>(
  output: Output,
  question: string,
  choices: readonly { label: string; value: T }[],
): Promise<T[]> {
  choices.forEach(({ label }, index) => {
    output.stderr.write(`  ${index + 1}) ${oneLine(label)}\n`);
  });
  for (;;) {
    const answer = await askLine(output, `${question} [all] `);
    if (answer === '' || answer === 'all') return choices.map(({ value }) => value);
    const chosen = answer
      .split(/[\s,]+/)
      .map((part) => (/^\d+$/.test(part) ? choices[Number(part) - 1] : undefined));
    const known = chosen.filter((choice) => choice !== undefined);
    if (known.length === chosen.length) return [...new Set(known)].map(({ value }) => value);
    output.stderr.write(`Numbers from 1 to ${choices.length}, please.\n`);
  }
}

export async function confirm(output: Output, question: string): Promise<boolean> {
  return /^y(es)?$/i.test(await askLine(output, `${question} [y/N] `));
}

/** Asks for a line; what surrounds it is cut. */
export async function askLine(output: Output, question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: output.stderr });
  const closed = new Promise<never>((_resolve, reject) => {
    lines.once('close', () => reject(new CommandError('usage', 'Nobody answered')));
    lines.once('SIGINT', () => lines.close());
  });
  try {
    return (await Promise.race([lines.question(question), closed])).trim();
  } finally {
    closed.catch(() => undefined);
    lines.close();
  }
}

/** Asks for a value that is not shown while it is typed. */
export function askHidden(output: Output, question: string): Promise<string> {
  const input = process.stdin;
  output.stderr.write(question);
  input.setRawMode(true).setEncoding('utf8').resume();
  return new Promise((resolve, reject) => {
    let typed = '';
    const finish = (settle: () => void) => {
      input.off('data', read).setRawMode(false).pause();
      output.stderr.write('\n');
      settle();
    };
    const read = (chunk: string) => {
      for (const character of chunk) {
        if (character === '\r' || character === '\n') return finish(() => resolve(typed));
        if (character === INTERRUPT || character === END) {
          return finish(() => reject(new CommandError('usage', 'Nothing was entered')));
        }
        if (character === '\u007f' || character === '\b') typed = [...typed].slice(0, -1).join('');
        else typed += character;
      }
      return undefined;
    };
    input.on('data', read);
  });
}

/** All of standard input as bytes. */
export async function readStdin(): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Uint8Array);
  return Buffer.concat(chunks);
}
