import { routes } from '@agentclash/api';
import { type FakeApi, FakeProblem } from '../fake-api.js';
import { AT, found, idOf, pageOf } from './known.js';

const secret = {
  ...{ key: 'OPENAI_KEY', hosts: ['api.openai.com'], binding: 'origin' as const, version: 2 },
  ...{ created_at: AT, updated_at: AT },
  ...{ created_by: 'ada', updated_by: 'ada', last_used_at: AT },
};
const unbound = { ...secret, key: 'OLD_TOKEN', hosts: [], binding: 'unbound' as const, version: 1 };
const token = {
  ...{ id: idOf(11), name: 'ci', role: 'member' as const, created_at: AT, created_by: 'ada' },
  ...{ expires_at: null, last_used_at: AT },
};
const workspace = { id: idOf(1), slug: 'default', name: 'Default', created_at: AT };
const keys = {
  ...{ active_key_id: 'k2', source: 'managed_file' as const, is_rotating: false, problem: null },
  keys: [{ id: 'k2', state: 'active' as const, secrets: 3 }],
};

export function offerAccess(api: FakeApi): void {
  api.on(routes.sessions.createCode, () => ({ code: 'one-time-code', expires_at: AT }));
  const isKnown = ({ key }: typeof secret, asked: string | undefined) => key === asked;
  api.on(routes.secrets.list, () => ({ items: [secret, unbound] }));
  api.on(routes.secrets.set, () => undefined);
  api.on(
    routes.secrets.remove,
    ({ params }) => void found([secret], (each) => isKnown(each, params.key), 'secret'),
  );
  api.on(routes.secrets.audit, () =>
    pageOf([
      {
        ...{
          id: idOf(14),
          at: AT,
          key: secret.key,
          action: 'open' as const,
          version: 2,
          actor: 'sandbox-executor',
        },
        ...{ run_id: idOf(61), attempt_id: idOf(81), delivery: 1 },
      },
      {
        ...{ id: idOf(13), at: AT, key: secret.key, action: 'set' as const, version: 2, actor: 'ada' },
        ...{ run_id: null, attempt_id: null, delivery: null },
      },
    ]),
  );
  api.on(routes.tokens.list, () => pageOf([token]));
  api.on(routes.tokens.create, ({ body }) => ({ ...token, ...JSON.parse(body), token: 'ac_shown_once' }));
  api.on(routes.tokens.revoke, () => undefined);
  api.on(routes.service.readiness, () => ({ ready: true, parts: { database: 'ok', bus: 'ok' } }));
  api.on(routes.workspaces.whoami, () => ({
    ...{ workspace, role: 'admin' as const, token: { id: token.id, name: 'ada', expires_at: null } },
  }));
  api.on(routes.workspaces.list, () => pageOf([workspace]));
  api.on(routes.workspaces.create, ({ body }) => {
    const { slug, name = slug } = JSON.parse(body);
    if (slug !== 'default') return { ...workspace, id: idOf(2), slug, name };
    throw new FakeProblem({ status: 409, code: 'conflict', detail: 'The slug "default" is taken.' });
  });
  const usage = {
    ...{ runs: 3, evidence_bytes: 5_242_880, evidence_bytes_max: 107_374_182_400 },
    ...{ retention_days: null, retention_set_by: 'operator' as const },
  };
  api.on(routes.storage.usage, () => usage);
  api.on(routes.storage.configure, ({ body }) => {
    const { retention_days } = JSON.parse(body) as { retention_days: number };
    return { ...usage, retention_days, retention_set_by: 'workspace' as const };
  });
  api.on(routes.storage.sweep, ({ body }) => {
    const { area, from } = JSON.parse(body) as { area: string; from: number };
    const missing_sha256 = area === 'evidence' && from === 0 ? ['0a'.repeat(32)] : [];
    const counts = { scanned: 10, referenced: 7, young: 1, removed: 2, removed_bytes: 2_048 };
    return { ...counts, missing: missing_sha256.length, missing_sha256, next: from === 0 ? 128 : null };
  });
  api.on(routes.vaultKeys.status, () => keys);
  api.on(routes.vaultKeys.rotate, () => keys);
  api.on(routes.vaultKeys.retire, ({ params }) => ({
    ...keys,
    keys: [...keys.keys, { id: params.key ?? '', state: 'retired' as const, secrets: 0 }],
  }));
}
