import { routes, runTitle, type StoredComparison } from '@agentclash/api';
import { Link } from 'wouter';
import { Loaded } from '../../data/loaded.js';
import { useRead } from '../../data/use-read.js';
import { Page } from '../../design/page.js';
import { Ago } from '../../design/time.js';
import type { ScreenProps } from '../../navigation/screen-route.js';
import { ComparedLanes } from './compared-lanes.js';

/** The stored comparison of a gate decision. */
export default function StoredComparisonScreen({ params }: ScreenProps<'comparisonId'>) {
  const { comparisonId } = params;
  const read = useRead(routes.comparisons.get, { params: { comparison_id: comparisonId } });
  return (
    <Page title="Comparison of a gate decision" lead={read.data && <Facts compared={read.data} />}>
      <Loaded of={read} what="the comparison">
        {(compared) => <ComparedLanes compared={compared} />}
      </Loaded>
    </Page>
  );
}

function Facts({ compared: { baseline, candidate, created_at } }: { compared: StoredComparison }) {
  return (
    <>
      <span>
        <Link to={`/runs/${candidate.run_id}/gate`}>{runTitle({ ...candidate, id: candidate.run_id })}</Link>{' '}
        against <Link to={`/runs/${baseline.run_id}`}>{runTitle({ ...baseline, id: baseline.run_id })}</Link>
      </span>
      <span>
        stored <Ago at={created_at} />
      </span>
    </>
  );
}
