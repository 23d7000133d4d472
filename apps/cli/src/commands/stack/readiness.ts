/** The body of `/readyz` of a service. */
export interface ServiceReadiness {
  ready: boolean;
  /** By part: `ok` or what is missing. */
  parts: Record<string, string>;
}

const TIMEOUT_MS = 5_000;

/** Requests the state of a service's parts; undefined when it cannot be reached. */
export async function readinessOf(baseUrl: string): Promise<ServiceReadiness | undefined> {
  try {
    const url = `${baseUrl.replace(/\/+$/, '')}/readyz`;
    const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    const body = (await response.json()) as Partial<ServiceReadiness>;
    const parts = typeof body.parts === 'object' && body.parts !== null ? body.parts : {};
    return { ready: response.ok && body.ready !== false, parts };
  } catch {
    return undefined;
  }
}

/** In words: `ready`, or what is missing. */
export function readinessText(readiness: ServiceReadiness | undefined): string {
  if (readiness === undefined) return 'not reachable';
  const missing = Object.entries(readiness.parts).filter(([, state]) => state !== 'ok');
  if (missing.length > 0) return missing.map(([part, state]) => `${part}: ${state}`).join(', ');
  return readiness.ready ? 'ready' : 'not ready';
}
