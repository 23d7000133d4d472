import { routes } from '@agentclash/api';
import { Link, useLocation, useSearch } from 'wouter';
import { Answer } from '../data/answer.js';
import { useRead } from '../data/use-read.js';
import { Empty } from '../design/empty.js';
import { Page } from '../design/page.js';
import { Only } from '../session/only.js';
import { StartRunForm } from './start-run-form.js';

/** Most that one page of a list can hold; more packs or deployments are found by their own screens. */
const LISTED = 200;

/** Chooses what to race and starts it. */
export default function StartRunScreen() {
  const packs = useRead(routes.packs.list, { query: { limit: LISTED } });
  const deployments = useRead(routes.deployments.list, { query: { limit: LISTED, status: 'active' } });
  const preset = new URLSearchParams(useSearch()).get('version');
  const [, go] = useLocation();
  return (
    <Page
      title="Start a run"
      lead="One version, one input set, one or more deployments: the same cases for all."
    >
      <Only needs="member" to="start runs">
        <Answer of={packs} what="the packs">
          {({ items }) => (
            <Answer of={deployments} what="the deployments">
              {({ items: agents }) =>
                items.length === 0 || agents.length === 0 ? (
                  <Empty
                    title={items.length === 0 ? 'There is no pack to race on.' : 'There is nobody to race.'}
                  >
                    <p>
                      {items.length === 0 ? (
                        <Link to="/packs/check">Publish a pack</Link>
                      ) : (
                        <Link to="/deployments">Make a deployment</Link>
                      )}{' '}
                      first.
                    </p>
                  </Empty>
                ) : (
                  <StartRunForm
                    packs={items}
                    deployments={agents}
                    preset={preset}
                    onStarted={(run) => go(`/runs/${run.id}`)}
                  />
                )
              }
            </Answer>
          )}
        </Answer>
      </Only>
    </Page>
  );
}
