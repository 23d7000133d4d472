import type { CallArguments, CallOptions, ResponseOutput, Route } from '@agentclash/api';
import { useQueryClient } from '@tanstack/react-query';
import { showToast } from '../design/toasts.js';
import { useSession } from '../session/session.js';
import { useIsShown } from './use-is-shown.js';
import { type MutationOnce, useMutationOnce } from './use-mutation-once.js';
import { renew } from './use-renewal.js';

interface ChangeSettings<Data> {
  /** Routes whose cached responses are stale afterwards. */
  touches?: readonly Route[];
  /** The text of a toast when it is done, without a full stop. */
  done?: string | ((data: Data) => string);
  /** Not called when the user has left what sent it: it may open another screen. */
  onSuccess?: (data: Data) => void;
}

/** A mutation: `mutate(options)`, `isPending`, `error`. While one is pending, no other is sent. */
export function useChange<R extends Route>(
  route: R,
  { touches = [], done, onSuccess }: ChangeSettings<ResponseOutput<R>> = {},
): MutationOnce<ResponseOutput<R>, CallOptions<R>> {
  const { client } = useSession();
  const queries = useQueryClient();
  const isShown = useIsShown();
  return useMutationOnce({
    mutationFn: (options: CallOptions<R>) => client.call(route, ...([options] as CallArguments<R>)),
    onSuccess: async (data) => {
      await renew(queries, touches);
      if (done !== undefined) showToast(typeof done === 'string' ? done : done(data));
      if (isShown()) onSuccess?.(data);
    },
  });
}
