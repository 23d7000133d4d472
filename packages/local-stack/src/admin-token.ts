import type { Credentials } from './credentials.js';
import type { Layout } from './layout.js';
import { writeOwnFile } from './own-file.js';

interface AdminTokenOptions {
  url: string;
  layout: Pick<Layout, 'credentials'>;
  onStep?: ((step: string) => void) | undefined;
}

/**
 * The credentials with an administrator's token that the server accepts. A revoked one stays revoked: the operator
 * makes another one, which replaces it in the data folder.
 */
export async function withAdminToken(
  credentials: Credentials,
  { url, layout, onStep }: AdminTokenOptions,
): Promise<Credentials> {
  const request = (path: string, token: string, body?: object) =>
    fetch(new URL(path, url), {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
  const { status } = await request('/v1/whoami', credentials.adminToken);
  if (status !== UNAUTHORIZED) return credentials;
  const body = { name: 'bootstrap', role: 'admin' };
  const made = await request('/v1/workspaces/default/tokens', credentials.operatorToken, body);
  if (!made.ok) {
    onStep?.(
      `Warning: the administrator's token is revoked, and no other one could be made (${made.status})`,
    );
    return credentials;
  }
  const { token } = (await made.json()) as { token: string };
  const renewed = { ...credentials, adminToken: token };
  await writeOwnFile(layout.credentials, renewed);
  onStep?.("The administrator's token was revoked: commands here use a new one, also named bootstrap");
  return renewed;
}

const UNAUTHORIZED = 401;
