import './typescript.mjs';

let desk;

/** Tests reach the shared servers through this address; nothing starts before the first test asks. */
export async function openTestServers() {
  const { openPostgresDesk } = await import('../postgres-desk.ts');
  desk = await openPostgresDesk();
  process.env.AGENTCLASH_TEST_POSTGRES_DESK = desk.url;
}

export async function closeTestServers() {
  await desk?.close();
}
