import type { CallArguments, CallOptions, ResponseOutput, Route } from '@agentclash/api';
import { useQueryClient } from '@tanstack/react-query';
import { useSession } from '../session/session.js';
import { type MutationOnce, useMutationOnce } from './use-mutation-once.js';

interface ChangeSettings<Data> {
  /** Routes whose answers are out of date afterwards. */
  touches?: readonly Route[];
  onSuccess?: (data: Data) => void;
}

/** A call that changes something: `mutate(options)`, `isPending`, `error`. While it is under way it is not sent again. */
export function useChange<R extends Route>(
  route: R,
  { touches = [], onSuccess }: ChangeSettings<ResponseOutput<R>> = {},
): MutationOnce<ResponseOutput<R>, CallOptions<R>> {
  const { client } = useSession();
  const queries = useQueryClient();
  return useMutationOnce({
    mutationFn: (options: CallOptions<R>) => client.call(route, ...([options] as CallArguments<R>)),
    onSuccess: async (data) => {
      // What no screen shows is forgotten: coming back, it would be taken for true until its new answer is there.
      for (const { path } of touches) queries.removeQueries({ queryKey: [path], type: 'inactive' });
      await Promise.all(touches.map(({ path }) => queries.invalidateQueries({ queryKey: [path] })));
      onSuccess?.(data);
    },
  });
}
