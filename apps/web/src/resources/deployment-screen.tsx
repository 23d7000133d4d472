import { routes } from '@agentclash/api';
import { Link } from 'wouter';
import { Loaded } from '../data/loaded.js';
import { useRead } from '../data/use-read.js';
import { Badge } from '../design/badge.js';
import { Page } from '../design/page.js';
import { Ago } from '../design/time.js';
import type { ScreenProps } from '../navigation/screen-route.js';
import { TrendPanel } from '../trends/trend-panel.js';
import { deployedAgent } from './deployed-agent.js';

/** One deployment with its results over the runs. */
export default function DeploymentScreen({ params: { deploymentId } }: ScreenProps<'deploymentId'>) {
  const read = useRead(routes.deployments.get, { params: { deployment_id: deploymentId } });
  return (
    <Page
      title={read.data?.name ?? 'Deployment'}
      lead={
        read.data && (
          <>
            <Badge>{read.data.kind}</Badge> <span>{deployedAgent(read.data)}</span>{' '}
            <span>
              revision {read.data.revision}, changed <Ago at={read.data.updated_at} />
            </span>{' '}
            <Link to={`/runs?deployment=${encodeURIComponent(read.data.name)}`}>Runs</Link>
          </>
        )
      }
    >
      <Loaded of={read} what="the deployment">
        {({ id }) => <TrendPanel of={{ deployment: id }} />}
      </Loaded>
    </Page>
  );
}
