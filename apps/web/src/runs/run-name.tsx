import { routes, runTitle } from '@agentclash/api';
import { Link } from 'wouter';
import { useRead } from '../data/use-read.js';
import { ModelCallsBadge } from './model-calls-badge.js';

/** The title of a run by its id, once it is loaded. */
export function RunName({ id }: { id: string }) {
  const { data } = useRead(routes.runs.get, { params: { run_id: id } });
  return runTitle(data ?? { id });
}

/** A link to a run by its id; the name is loaded, and the mark of a run whose calls were not live. */
export function RunLink({
  id,
  view = '',
}: {
  id: string;
  view?: '' | '/ranking' | '/matrix' | '/gate' | '/review';
}) {
  const { data } = useRead(routes.runs.get, { params: { run_id: id } });
  const link = <Link to={`/runs/${id}${view}`}>{runTitle(data ?? { id })}</Link>;
  if (data?.model_calls === undefined) return link;
  return (
    <>
      {link} <ModelCallsBadge run={data} />
    </>
  );
}
