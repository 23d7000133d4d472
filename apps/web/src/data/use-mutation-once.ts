import {
  type DefaultError,
  type MutationKey,
  type QueryClient,
  type UseMutateFunction,
  type UseMutationOptions,
  type UseMutationResult,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import { useId } from 'react';

type WithoutAsync<Result> = Result extends unknown ? Omit<Result, 'mutateAsync'> : never;

/** The result of `useMutation` without `mutateAsync`, which has no guard. */
export type MutationOnce<Data, Variables> = WithoutAsync<UseMutationResult<Data, DefaultError, Variables>>;

/** `useMutation` whose `mutate` does nothing while a mutation is pending. */
export function useMutationOnce<Data, Variables>(
  options: Omit<UseMutationOptions<Data, DefaultError, Variables>, 'mutationKey'>,
): MutationOnce<Data, Variables> {
  const queries = useQueryClient();
  const mutationKey = [useId()];
  const { mutateAsync: _unguarded, ...mutation } = useMutation({ ...options, mutationKey });
  const mutate: UseMutateFunction<Data, DefaultError, Variables> = (...call) => {
    if (!isUnderWay(queries, mutationKey)) mutation.mutate(...call);
  };
  return { ...mutation, mutate } as MutationOnce<Data, Variables>;
}

/**
 * True when a mutation with this key is pending. True from the moment it is sent: a button that only follows the
 * rendered state can be pressed twice before the next render.
 */
export function isUnderWay(queries: QueryClient, mutationKey: MutationKey): boolean {
  return queries.isMutating({ mutationKey, exact: true }) > 0;
}
