import { routes } from '@agentclash/api';
import { useId, useState } from 'react';
import { useRead } from '../../data/use-read.js';
import { Button } from '../../design/button.js';
import { Dialog } from '../../design/dialog.js';
import { LabelledControl } from '../../design/field.js';
import { runName } from '../../runs/run-name.js';
import css from './run-choice.module.css';
import { RunOptions } from './run-options.js';

const ID = /^[0-9a-f]{8}-[0-9a-f-]{27}$/;

interface RunChoiceProps {
  label: string;
  /** The id of a run or the name of a baseline; empty while nothing is chosen. */
  value: string;
  /** The lane too where a baseline stands for one. */
  onChange: (value: string, lane?: string) => void;
  /** Whether the name of a baseline may stand for a run. */
  mayBeBaseline?: boolean;
}

/** Selects one of the runs of a workspace; the server searches and pages them. */
export function RunChoice({ label, value, onChange, mayBeBaseline = false }: RunChoiceProps) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const isRun = ID.test(value);
  const run = useRead(routes.runs.get, { params: { run_id: value } }, { enabled: isRun });
  const name = isRun ? runName(value, run.data?.name) : `baseline ${value}`;
  const choose = (next: string, lane?: string) => {
    setOpen(false);
    onChange(next, lane);
  };
  return (
    <LabelledControl id={id} label={label}>
      <Button
        id={id}
        className={css.choice ?? ''}
        aria-haspopup="dialog"
        aria-label={`${label}: ${value === '' ? 'choose a run' : name}`}
        onClick={() => setOpen(true)}
      >
        <span className={css.chosen}>{value === '' ? 'Choose a run …' : name}</span>
      </Button>
      <Dialog title={`${label}: choose a run`} isOpen={isOpen} onClose={() => setOpen(false)}>
        <RunOptions value={value} onChoose={choose} mayBeBaseline={mayBeBaseline} />
        <div className={css.buttons}>
          {value !== '' && <Button onClick={() => choose('')}>Clear</Button>}
          <Button onClick={() => setOpen(false)}>Cancel</Button>
        </div>
      </Dialog>
    </LabelledControl>
  );
}
