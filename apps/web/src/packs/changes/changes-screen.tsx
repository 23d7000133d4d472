import { type PackVersion, routes } from '@agentclash/api';
import { Link } from 'wouter';
import { Loaded } from '../../data/loaded.js';
import { useRead } from '../../data/use-read.js';
import { Filters } from '../../design/field.js';
import { Page } from '../../design/page.js';
import { Empty } from '../../design/states.js';
import { TextChanges } from '../../editor/text-changes.js';
import type { ScreenProps } from '../../navigation/screen-route.js';
import { useFilters } from '../../navigation/use-filters.js';
import { useVersionText } from '../version/use-version-text.js';
import { newestFirst, VersionChoice } from './version-choice.js';

/** The differences between two published versions of a pack. */
export default function ChangesScreen({ params: { pack } }: ScreenProps<'pack'>) {
  const read = useRead(routes.packs.get, { params: { pack } });
  return (
    <Page
      title={`Changes of ${read.data?.name ?? pack}`}
      lead={<Link to={`/packs/${pack}`}>{read.data?.slug ?? pack}</Link>}
    >
      <Loaded of={read} what="the pack">
        {({ versions }) =>
          versions.length < 2 ? (
            <Empty title="There is one version only" />
          ) : (
            <VersionChanges versions={versions} />
          )
        }
      </Loaded>
    </Page>
  );
}

function VersionChanges({ versions }: { versions: readonly PackVersion[] }) {
  const [get, set] = useFilters();
  const [newest, previous] = newestFirst(versions);
  const numbered = (name: string) =>
    versions.find(({ version_number }) => String(version_number) === get(name));
  const from = numbered('from') ?? previous;
  const to = numbered('to') ?? newest;
  const before = useVersionText(from?.id);
  const after = useVersionText(to?.id);
  const label = `Changes from v${from?.version_number} to v${to?.version_number}`;
  return (
    <>
      <Filters>
        <VersionChoice
          label="From"
          versions={versions}
          value={from?.version_number}
          onChange={(number) => set({ from: number })}
        />
        <VersionChoice
          label="To"
          versions={versions}
          value={to?.version_number}
          onChange={(number) => set({ to: number })}
        />
      </Filters>
      <Loaded of={before} what="the earlier version">
        {(earlier) => (
          <Loaded of={after} what="the later version">
            {(later) => <TextChanges before={earlier} after={later} label={label} />}
          </Loaded>
        )}
      </Loaded>
    </>
  );
}
