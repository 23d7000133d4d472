import { routes } from '@agentclash/api';
import { Link, useLocation, useSearch } from 'wouter';
import { Loaded } from '../data/loaded.js';
import { useAll } from '../data/use-all.js';
import { Page } from '../design/page.js';
import { Empty } from '../design/states.js';
import { Only } from '../session/only.js';
import { StartRunForm } from './start-run-form.js';

/** The form that starts a run. */
export default function StartRunScreen() {
  const packs = useAll(routes.packs.list, {});
  const deployments = useAll(routes.deployments.list, { query: { status: 'active' } });
  const search = new URLSearchParams(useSearch());
  const preset = {
    version: search.get('version'),
    onlyFailedOf: search.get('only_failed'),
    replayFrom: search.get('replay'),
    like: search.get('like'),
  };
  const [, go] = useLocation();
  return (
    <Page
      title="Start a run"
      lead="One version, one input set, one or more deployments: the same cases for all."
    >
      <Only needs="member" to="start runs">
        <Loaded of={packs} what="the packs">
          {(items) => (
            <Loaded of={deployments} what="the deployments">
              {(agents) =>
                items.length === 0 || agents.length === 0 ? (
                  <Empty title={items.length === 0 ? 'No packs yet' : 'No deployments yet'}>
                    <p>
                      {items.length === 0 ? (
                        <Link to="/packs/check">Publish a pack</Link>
                      ) : (
                        <Link to="/deployments">Create a deployment</Link>
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
            </Loaded>
          )}
        </Loaded>
      </Only>
    </Page>
  );
}
