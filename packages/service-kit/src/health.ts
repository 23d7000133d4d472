import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Checks a dependency that the service needs; returns the problem, or nothing. */
// biome-ignore lint/suspicious/noConfusingVoidType: a check that only throws returns nothing
export type ReadinessCheck = () => Promise<string | undefined | void> | string | undefined;

export interface Readiness {
  ready: boolean;
  /** By dependency: `ok` or the problem. */
  parts: Record<string, string>;
}

/** The readiness checks of a service, by dependency. Providers add theirs when they are created. */
export class ReadinessChecks {
  readonly byName: Record<string, ReadinessCheck> = {};

  add(name: string, check: ReadinessCheck): void {
    this.byName[name] = check;
  }
}

/** Runs all checks at once; one that throws is not reachable. */
export async function checkReadiness(checks: Record<string, ReadinessCheck>): Promise<Readiness> {
  const parts = await Promise.all(
    Object.entries(checks).map(async ([name, check]): Promise<[string, string]> => {
      try {
        return [name, (await check()) ?? 'ok'];
      } catch {
        return [name, 'not reachable'];
      }
    }),
  );
  return { ready: parts.every(([, state]) => state === 'ok'), parts: Object.fromEntries(parts) };
}

/** `/healthz` (liveness) and `/readyz` (readiness, by dependency) on their own port. */
export class HealthServer {
  private server: Server | undefined;
  private isDraining = false;

  constructor(private readonly checks: Record<string, ReadinessCheck>) {}

  async listen(host: string, port: number): Promise<number> {
    const server = createServer((request, response) => {
      void this.respond(request.url ?? '/').then(({ status, body }) => {
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      });
    });
    this.server = server;
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, host, resolve);
    });
    return (server.address() as AddressInfo).port;
  }

  /** Reports not ready from now on, so that no new work is routed here; running work continues. */
  drain(): void {
    this.isDraining = true;
  }

  async close(): Promise<void> {
    const server = this.server;
    if (server === undefined) return;
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }

  private async respond(url: string): Promise<{ status: number; body: unknown }> {
    if (url === '/healthz') return { status: 200, body: { status: 'ok' } };
    if (url !== '/readyz') return { status: 404, body: { status: 'not found' } };
    const readiness = await this.readiness();
    return { status: readiness.ready ? 200 : 503, body: readiness };
  }

  private async readiness(): Promise<Readiness> {
    if (this.isDraining) return { ready: false, parts: { service: 'stopping' } };
    return await checkReadiness(this.checks);
  }
}
