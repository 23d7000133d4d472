/** The page loads from this origin alone, runs no inline code, and cannot be framed. */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types agentclash-worker',
].join('; ');

/**
 * Workers have a policy of their own. The one that checks packs compiles their JSON Schemas to code: it may
 * evaluate, and in return it can reach neither the network nor the page.
 */
const WORKER_POLICY = "default-src 'none'; script-src 'self' 'unsafe-eval'";

const A_YEAR = 'public, max-age=31536000, immutable';

/** Headers of a file of the web app, besides those of every response. */
export function webHeaders(address: string): Record<string, string> {
  const isWorker = address.startsWith('/workers/');
  return {
    // Built files have their hash in their name.
    'cache-control': isWorker || address.startsWith('/assets/') ? A_YEAR : 'no-cache',
    'content-security-policy': isWorker ? WORKER_POLICY : PAGE_POLICY,
    'cross-origin-opener-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  };
}
