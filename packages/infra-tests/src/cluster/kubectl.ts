import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Manifest } from '../manifests/manifest.js';

const OUTPUT_BYTES_MAX = 64 << 20;
const FORWARDING = /^Forwarding from 127\.0\.0\.1:(\d+)/;

/** Calls of kubectl to one cluster. */
export class Kubectl {
  constructor(private readonly kubeconfig: string) {}

  /** stdout. Throws with what kubectl has written to stderr. */
  run(words: readonly string[], items?: readonly Manifest[]): Promise<string> {
    return new Promise((resolve, reject) => {
      const child = execFile(
        'kubectl',
        [...this.#flags(), ...words],
        { maxBuffer: OUTPUT_BYTES_MAX },
        (error, stdout, stderr) => {
          if (error === null) resolve(stdout);
          else reject(new Error(`kubectl ${words.join(' ')}: ${stderr || stdout}`, { cause: error }));
        },
      );
      child.stdin?.end(items ? JSON.stringify({ apiVersion: 'v1', kind: 'List', items }) : '');
    });
  }

  async list<T>(kind: string, namespace: string, selector = ''): Promise<T[]> {
    const words = ['get', kind, '--namespace', namespace, '--output=json', '--selector', selector];
    return (JSON.parse(await this.run(words)) as { items: T[] }).items;
  }

  /** A port of this machine for one of a pod, until the pod or the child ends. */
  async forward(
    namespace: string,
    target: string,
    ports: string,
  ): Promise<{ child: ChildProcess; port: number }> {
    const words = ['port-forward', '--namespace', namespace, target, ports];
    const child = spawn('kubectl', [...this.#flags(), ...words], { stdio: ['ignore', 'pipe', 'ignore'] });
    const lines = createInterface({ input: child.stdout });
    const [line] = (await Promise.race([once(lines, 'line'), once(child, 'exit')])) as [unknown];
    const [, port] = FORWARDING.exec(String(line)) ?? [];
    if (port === undefined) throw new Error(`kubectl forwards no port of ${target}`);
    return { child, port: Number(port) };
  }

  #flags(): string[] {
    return ['--kubeconfig', this.kubeconfig];
  }
}
