import { routes } from '@agentclash/api';
import { Redirect, useLocation, useSearch } from 'wouter';
import { Loaded } from '../data/loaded.js';
import { useRead } from '../data/use-read.js';
import { ButtonLink } from '../design/button.js';
import { Page } from '../design/page.js';
import { Empty } from '../design/states.js';

const WHOLE_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const PART = /^(\d{1,9}|[0-9a-f-]{4,35})$/i;

/** True for what names a run without being its id: its number, or a part of the id. */
export function isPartOfId(text: string | undefined): text is string {
  return text !== undefined && !WHOLE_ID.test(text) && PART.test(text);
}

/** Leads from `/runs/42` to the address of that run, whatever follows the number. */
export function RunByPart({ part }: { part: string }) {
  const [location] = useLocation();
  const search = useSearch();
  // A number is that of a run, and no part of an id.
  const read = useRead(routes.runs.findIds, {
    query: { part: /^\d{1,9}$/.test(part) ? `#${part}` : part },
  });
  return (
    <Loaded of={read} what="the run">
      {({ runs }) => {
        const [id, ...others] = runs;
        if (id !== undefined && others.length === 0) {
          const rest = location.slice(`/runs/${part}`.length);
          return <Redirect to={`/runs/${id}${rest}${search === '' ? '' : `?${search}`}`} replace />;
        }
        return (
          <Page title={`Run ${part}`}>
            <Empty
              title={id === undefined ? `There is no run ${part}.` : `Several runs have ${part} in their id.`}
            >
              <ButtonLink to="/runs">Runs</ButtonLink>
            </Empty>
          </Page>
        );
      }}
    </Loaded>
  );
}
