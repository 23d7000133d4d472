import { routes } from '@agentclash/api';
import { Link } from 'wouter';
import { useRead } from '../data/use-read.js';

const SHORT = 8;

/** What a run is called: its name, or the end of its id. */
export function runName(id: string, name: string | null | undefined): string {
  return name ?? `Run ${id.slice(-SHORT)}`;
}

/** A link to a run of which only the id is at hand; its name follows. */
export function RunLink({ id, view = '' }: { id: string; view?: '' | '/ranking' | '/gate' }) {
  const { data } = useRead(routes.runs.get, { params: { run_id: id } });
  return <Link to={`/runs/${id}${view}`}>{runName(id, data?.name)}</Link>;
}
