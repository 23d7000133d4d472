import { routes } from '@agentclash/api';
import { useState } from 'react';
import { Loaded } from '../../data/loaded.js';
import { useRead } from '../../data/use-read.js';
import { Filters } from '../../design/field.js';
import { TextChanges } from '../../editor/text-changes.js';
import { useVersionText } from '../version/use-version-text.js';
import { newestFirst, VersionChoice } from './version-choice.js';

interface DraftChangesProps {
  text: string;
  /** Absent while the document has none that can be read. */
  slug: string | undefined;
}

/** The differences of the text in the editor from a published version of its pack. */
export function DraftChanges({ text, slug }: DraftChangesProps) {
  const packs = useRead(routes.packs.list, { query: { q: slug ?? '' } }, { enabled: slug !== undefined });
  const [number, setNumber] = useState<string>();
  const versions = newestFirst(packs.data?.items.find((pack) => pack.slug === slug)?.versions ?? []);
  const chosen = versions.find(({ version_number }) => String(version_number) === number) ?? versions[0];
  const published = useVersionText(chosen?.id);
  if (slug === undefined) return <p>The document has no slug, by which its versions are found.</p>;
  return (
    <Loaded of={packs} what="the versions">
      {() =>
        chosen === undefined ? (
          <p>No version of {slug} is published.</p>
        ) : (
          <>
            <Filters>
              <VersionChoice
                label="Published version"
                versions={versions}
                value={chosen.version_number}
                onChange={setNumber}
              />
            </Filters>
            <Loaded of={published} what="the published version">
              {(before) => (
                <TextChanges before={before} after={text} label={`Changes since v${chosen.version_number}`} />
              )}
            </Loaded>
          </>
        )
      }
    </Loaded>
  );
}
