import { type InputSet, routes, type StoredCase } from '@agentclash/api';
import { useState } from 'react';
import { CaseView } from '../../cases/case-view.js';
import { Loaded } from '../../data/loaded.js';
import { usePages } from '../../data/use-pages.js';
import { useRead } from '../../data/use-read.js';
import { Button } from '../../design/button.js';
import { Dialog } from '../../design/dialog.js';
import { formatCount, NOTHING } from '../../design/format.js';
import { PagedTable } from '../../design/paged-table.js';
import { Panel } from '../../design/panel.js';
import { type Column, Table } from '../../design/table.js';

/** The input sets of a version, and the cases of the chosen one. */
export function InputSets({ versionId }: { versionId: string }) {
  const sets = useRead(routes.versions.inputSets, { params: { version_id: versionId } });
  const [open, setOpen] = useState<InputSet | null>(null);
  const columns: readonly Column<InputSet>[] = [
    { key: 'key', title: 'Input set', cell: ({ key, name }) => (key === name ? key : `${name} (${key})`) },
    { key: 'description', title: 'Description', cell: ({ description }) => description ?? NOTHING },
    { key: 'challenge', title: 'Challenge', cell: challengeText },
    { key: 'cases', title: 'Cases', isFigure: true, cell: ({ case_count }) => formatCount(case_count) },
    {
      key: 'open',
      title: <span className="visually-hidden">Actions</span>,
      cell: (set) => (
        <Button onClick={() => setOpen(set)} aria-expanded={open?.id === set.id}>
          {open?.id === set.id ? 'Shown below' : 'Show cases'}
        </Button>
      ),
    },
  ];
  return (
    <>
      <Panel title="Input sets" isFlush>
        <Loaded of={sets} what="the input sets">
          {({ items }) => (
            <Table label="Input sets" columns={columns} rows={items} keyOf={({ id }) => id} isStacked />
          )}
        </Loaded>
      </Panel>
      {open !== null && <Cases key={open.id} versionId={versionId} set={open} />}
    </>
  );
}

const CHALLENGES_SHOWN = 3;

/** The challenges of a set; of many, the first. */
function challengeText({ challenge_key, challenge_keys = [challenge_key] }: InputSet): string {
  const shown = challenge_keys.slice(0, CHALLENGES_SHOWN).join(', ');
  const more = challenge_keys.length - CHALLENGES_SHOWN;
  return more > 0 ? `${shown} and ${formatCount(more)} more` : shown;
}

function Cases({ versionId, set }: { versionId: string; set: InputSet }) {
  const manifest = useRead(routes.versions.manifest, { params: { version_id: versionId } });
  const cases = usePages(routes.versions.cases, { params: { version_id: versionId, input_set_id: set.id } });
  const [shown, setShown] = useState<StoredCase | null>(null);
  const columns: readonly Column<StoredCase>[] = [
    { key: 'key', title: 'Case', cell: ({ case_key }) => case_key },
    { key: 'challenge', title: 'Challenge', isMinor: true, cell: ({ challenge_key }) => challenge_key },
    {
      key: 'show',
      title: <span className="visually-hidden">Actions</span>,
      cell: (stored) => <Button onClick={() => setShown(stored)}>Show</Button>,
    },
  ];
  return (
    <>
      <h2>Cases of {set.name}</h2>
      <PagedTable
        what="cases"
        columns={columns}
        keyOf={({ case_key }) => case_key}
        of={cases}
        empty={{ title: 'No cases in this input set' }}
      />
      <Dialog title={shown?.case_key} isOpen={shown !== null} onClose={() => setShown(null)}>
        {shown && <CaseView stored={shown} manifest={manifest.data} />}
        <Button onClick={() => setShown(null)}>Close</Button>
      </Dialog>
    </>
  );
}
