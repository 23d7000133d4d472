import { TextArea, TextField } from '../design/field.js';
import { ModelCallsFields } from './model-calls-fields.js';
import type { RequestProblems } from './request-problems.js';
import type { Change, RunDraft } from './run-draft.js';
import css from './start-run-form.module.css';

interface RunSettingsProps {
  draft: RunDraft;
  /** Slug of the chosen pack. */
  pack: string | undefined;
  problems: RequestProblems;
  onChange: Change;
}

export function RunSettings({ draft, pack, problems, onChange }: RunSettingsProps) {
  const isReplay = draft.modelCalls === 'replay';
  return (
    <div className={css.fields}>
      <TextField
        label="Name (optional)"
        maxLength={200}
        problem={problems.name}
        value={draft.name}
        onChange={({ target }) => onChange({ name: target.value })}
      />
      <TextField
        label="Repetitions"
        type="number"
        min={1}
        max={100}
        required
        problem={problems.repetitions}
        value={draft.repetitions ?? '1'}
        onChange={({ target }) => onChange({ repetitions: target.value })}
      />
      <TextField
        label="Max concurrency (optional)"
        type="number"
        min={1}
        max={10_000}
        problem={problems.max_concurrency}
        value={draft.maxConcurrency}
        onChange={({ target }) => onChange({ maxConcurrency: target.value })}
      />
      <ModelCallsFields draft={draft} pack={pack} problems={problems} onChange={onChange} />
      <TextArea
        label="Labels (optional)"
        hint="One key=value per line"
        problem={problems.labels}
        rows={2}
        className={css.short ?? ''}
        value={draft.labels}
        onChange={({ target }) => onChange({ labels: target.value })}
      />
      <label className={css.choice}>
        <input
          type="checkbox"
          checked={draft.hasRaceContext && !isReplay}
          disabled={isReplay}
          onChange={({ target }) => onChange({ hasRaceContext: target.checked })}
        />
        Share race progress with agents: each one sees the standings of the others during the race
      </label>
    </div>
  );
}
