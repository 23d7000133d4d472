import { routes } from '@agentclash/api';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { keyOf } from '../../data/use-read.js';
import { useSession } from '../../session/session.js';

/** The published document of a version, as it was written; without an id nothing is read. */
export function useVersionText(versionId: string | undefined): UseQueryResult<string> {
  const { client } = useSession();
  const options = { params: { version_id: versionId ?? '' } };
  return useQuery({
    queryKey: keyOf(routes.versions.bundle, options),
    queryFn: async () => (await client.call(routes.versions.bundle, options)).text(),
    enabled: versionId !== undefined,
    // A published version never changes.
    staleTime: Number.POSITIVE_INFINITY,
  });
}
