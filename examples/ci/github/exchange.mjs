// Exchanges the identity that GitHub gives the job for a short-lived token, so that no secret has to be kept there.
// Reads API_URL, AUDIENCE and WORKSPACE, and what `permissions: {id-token: write}` brings; writes `token` to the outputs.
import { appendFileSync } from 'node:fs';

const {
  API_URL,
  AUDIENCE,
  WORKSPACE,
  ACTIONS_ID_TOKEN_REQUEST_URL,
  ACTIONS_ID_TOKEN_REQUEST_TOKEN,
  GITHUB_OUTPUT,
} = process.env;

async function requestJson(url, init) {
  const response = await fetch(url, { ...init, signal: AbortSignal.timeout(30_000) });
  if (!response.ok)
    throw new Error(`${new URL(url).host} answered ${response.status}: ${await response.text()}`);
  return response.json();
}

try {
  if (!ACTIONS_ID_TOKEN_REQUEST_URL)
    throw new Error('there is no identity: give `permissions: {id-token: write}`, or a token');
  const identityUrl = new URL(ACTIONS_ID_TOKEN_REQUEST_URL);
  if (AUDIENCE) identityUrl.searchParams.set('audience', AUDIENCE);
  const { value: identity } = await requestJson(identityUrl, {
    headers: { authorization: `Bearer ${ACTIONS_ID_TOKEN_REQUEST_TOKEN}` },
  });
  console.log(`::add-mask::${identity}`);
  const { access_token: token } = await requestJson(`${API_URL.replace(/\/+$/, '')}/v1/token-exchange`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ subject_token: identity, ...(WORKSPACE && { workspace: WORKSPACE }) }),
  });
  console.log(`::add-mask::${token}`);
  appendFileSync(GITHUB_OUTPUT, `token=${token}\n`);
} catch (error) {
  console.log(`::error::AgentClash: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 77;
}
