import { routes } from '@agentclash/api';
import { Link } from 'wouter';
import { Loaded } from '../data/loaded.js';
import { useRead } from '../data/use-read.js';
import { Empty } from '../design/empty.js';
import { Panel } from '../design/panel.js';
import { RunProgress } from '../runs/run-progress.js';
import css from './load.module.css';

const REFRESH_MS = 5_000;

/** The running runs of the workspace. */
export function Load() {
  const runs = useRead(
    routes.runs.list,
    { query: { status: 'running', limit: 20 } },
    { refetchInterval: REFRESH_MS },
  );
  return (
    <Panel title="Active runs">
      <Loaded of={runs} what="the active runs">
        {({ items }) =>
          items.length === 0 ? (
            <Empty title="No active runs" />
          ) : (
            <ul className={css.runs}>
              {items.map(({ id, name, pack, progress }) => (
                <li key={id}>
                  <Link to={`/runs/${id}`}>{name ?? pack.name}</Link>
                  <RunProgress progress={progress} />
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Panel>
  );
}
