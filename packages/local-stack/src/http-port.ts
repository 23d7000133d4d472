import { readFile } from 'node:fs/promises';
import { assertPortFree, freePort } from '@agentclash/embedded';
import { writeOwnFile } from './own-file.js';

/** The port of a new stack's HTTP API where it is free. */
export const FIRST_PORT = 7420;

export interface PortChoice {
  port: number;
  /** The port that would have been taken, if another program listens there. */
  taken?: number;
}

/** Who listens where, as far as a choice needs to know it. */
export interface Ports {
  isFree(port: number): Promise<boolean>;
  /** A port that is free. */
  next(): Promise<number>;
}

const MACHINE: Ports = {
  isFree: async (port) =>
    await assertPortFree(port, 'the HTTP API').then(
      () => true,
      () => false,
    ),
  next: freePort,
};

/** That of earlier starts on this data, else the first choice; a free one where another program listens on it. */
export async function choosePort(
  remembered: number | undefined,
  ports: Ports = MACHINE,
): Promise<PortChoice> {
  const wanted = remembered ?? FIRST_PORT;
  if (await ports.isFree(wanted)) return { port: wanted };
  return { port: await ports.next(), taken: wanted };
}

/** The port that the stack on this data served on; undefined when it never did. */
export async function readPort(file: string): Promise<number | undefined> {
  const text = await readFile(file, 'utf8').catch(() => '{}');
  try {
    const { http } = JSON.parse(text) as { http?: unknown };
    return Number.isInteger(http) && Number(http) > 0 && Number(http) < 65_536 ? Number(http) : undefined;
  } catch {
    return undefined;
  }
}

/** For the next start, so that addresses of the web app stay what they are. */
export async function rememberPort(file: string, http: number): Promise<void> {
  await writeOwnFile(file, { http });
}
