import './typescript.mjs';

let endpoint;

/** Tests reach the shared servers through this endpoint; the first request starts them. */
export async function openTestServers() {
  const { openLazyPostgres } = await import('../lazy-postgres.ts');
  endpoint = await openLazyPostgres();
  process.env.AGENTCLASH_TEST_POSTGRES_ENDPOINT = endpoint.url;
}

export async function closeTestServers() {
  await endpoint?.close();
}
