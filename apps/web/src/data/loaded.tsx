import type { ReactNode } from 'react';
import { Failure, Loading } from '../design/states.js';

interface LoadedProps<Data> {
  /** The result of `useRead`. */
  of: { data: Data | undefined; error: unknown; refetch: () => unknown };
  /** For "Loading …". */
  what: string;
  children: (data: Data) => ReactNode;
}

/** Renders loaded data, the loading state or the error. Data stays visible when a refresh fails. */
export function Loaded<Data>({ of: { data, error, refetch }, what, children }: LoadedProps<Data>) {
  if (data !== undefined) return <>{children(data)}</>;
  if (error) return <Failure error={error} onRetry={() => void refetch()} />;
  return <Loading what={what} />;
}
