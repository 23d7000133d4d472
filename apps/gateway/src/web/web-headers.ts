/** The page loads from here alone, runs nothing that is written into it, and is shown in no other page. */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types agentclash-worker',
].join('; ');

/**
 * Workers have a policy of their own. The one that checks packs compiles the JSON Schemas in them to code: it may
 * evaluate, and in return it reaches nothing, neither the network nor the page.
 */
const WORKER_POLICY = "default-src 'none'; script-src 'self' 'unsafe-eval'";

const A_YEAR = 'public, max-age=31536000, immutable';

/** Headers of one of the web app's files, besides those of every answer. */
export function webHeaders(address: string): Record<string, string> {
  const isWorker = address.startsWith('/workers/');
  return {
    // What is built has its hash in its name.
    'cache-control': isWorker || address.startsWith('/assets/') ? A_YEAR : 'no-cache',
    'content-security-policy': isWorker ? WORKER_POLICY : PAGE_POLICY,
    'cross-origin-opener-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  };
}
