import { environmentOf } from '../environment/resolve.js';
import { containersOf, workloadsOf } from '../manifests/manifest.js';
import type { Policy } from './policy.js';

const CERTIFICATES = 'NODE_EXTRA_CA_CERTS';
const DATABASE = 'DATABASE_URL';

export const TRUST = {
  // The servers of the bus have no certificate of a public authority, and a database beside them may have none.
  'where one speaks to the bus by TLS, all who speak to it or to a database trust its authority': (
    manifests,
  ) => {
    const speaking = workloadsOf(manifests).flatMap((workload) =>
      containersOf(workload).map((container) => {
        const { values, elsewhere } = environmentOf(manifests, container);
        const isByTls = Object.values(values).some((value) => value.startsWith('tls://'));
        const hasDatabase =
          values[DATABASE] !== undefined || elsewhere.some(({ variable }) => variable === DATABASE);
        const place = `${workload.name}/${container.name}`;
        return {
          place,
          isByTls,
          isMeant: isByTls || hasDatabase,
          trusts: values[CERTIFICATES] !== undefined,
        };
      }),
    );
    if (!speaking.some(({ isByTls, trusts }) => isByTls || trusts)) return [];
    return speaking.filter(({ isMeant, trusts }) => isMeant && !trusts).map(({ place }) => place);
  },
} satisfies Record<string, Policy>;
