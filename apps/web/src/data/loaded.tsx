import type { ReactNode } from 'react';
import { Failure } from '../design/failure.js';
import { Loading } from '../design/loading.js';

interface LoadedProps<Data> {
  /** What `useRead` gave. */
  of: { data: Data | undefined; error: unknown; refetch: () => unknown };
  /** For "Loading …". */
  what: string;
  children: (data: Data) => ReactNode;
}

/** Shows data when it is there, else that it is on its way or why it is not. Old data outlives a failed refresh. */
export function Loaded<Data>({ of: { data, error, refetch }, what, children }: LoadedProps<Data>) {
  if (data !== undefined) return <>{children(data)}</>;
  if (error) return <Failure error={error} onRetry={() => void refetch()} />;
  return <Loading what={what} />;
}
