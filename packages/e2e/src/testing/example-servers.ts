import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { repository } from '../product.js';

export interface ExampleServer {
  port: number;
  stop(): Promise<void>;
}

/** Starts a server of the examples folder as its comment describes, on any free port. */
export async function startExampleServer(file: string, args: readonly string[] = []): Promise<ExampleServer> {
  const script = path.join(repository, 'examples', file);
  const child = spawn(process.execPath, [script, '--port', '0', ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  for await (const line of createInterface({ input: child.stdout })) {
    const [, port] = /127\.0\.0\.1:(\d+)/.exec(line) ?? [];
    if (port === undefined) continue;
    return {
      port: Number(port),
      stop: async () => {
        child.kill('SIGTERM');
        await ended;
      },
    };
  }
  throw new Error(`${file} ended without printing its address`);
}
