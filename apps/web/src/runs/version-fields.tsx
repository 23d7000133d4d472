import type { InputSet, Pack } from '@agentclash/api';
import { EXECUTION_MODES, type ExecutionMode } from '@agentclash/domain';
import type { ReactNode } from 'react';
import { SelectField } from '../design/field.js';
import type { RequestProblems } from './request-problems.js';
import type { Change, RunDraft } from './run-draft.js';
import css from './start-run-form.module.css';

interface VersionFieldProps {
  packs: readonly Pack[];
  value: string;
  problem: string | undefined;
  onChange: Change;
}

export function VersionField({ packs, value, problem, onChange }: VersionFieldProps) {
  const choose = (versionId: string) => {
    const isSamePack = slugOf(packs, versionId) === slugOf(packs, value);
    // A replay is of the same pack, and so are failed cases.
    onChange({ versionId, inputSetId: '', ...(!isSamePack && { replayFrom: '', onlyFailedOf: '' }) });
  };
  return (
    <SelectField
      label="Pack and version"
      problem={problem}
      value={value}
      onChange={({ target }) => choose(target.value)}
    >
      {packs.map(({ id, name, versions }) => (
        <optgroup key={id} label={name}>
          {versions.filter(isStartable).map((version) => (
            <option key={version.id} value={version.id}>
              {version.slug} v{version.version_number}
              {version.lifecycle_status === 'deprecated' && ' (deprecated)'}
            </option>
          ))}
        </optgroup>
      ))}
    </SelectField>
  );
}

interface InputSetFieldProps {
  sets: readonly InputSet[];
  isLoading: boolean;
  draft: RunDraft;
  problems: RequestProblems;
  onChange: Change;
}

export function InputSetField({ sets, isLoading, draft, problems, onChange }: InputSetFieldProps) {
  const chosen = inputSetIdOf(sets, draft);
  return (
    <SelectField
      label="Input set"
      required
      hint={inputSetHint(sets, chosen)}
      problem={problems.challenge_input_set_id}
      value={chosen}
      onChange={({ target }) => onChange({ inputSetId: target.value })}
      disabled={sets.length < 2}
    >
      {sets.length !== 1 && <option value="">{isLoading ? 'loading …' : 'choose one'}</option>}
      {sets.map(({ id, key, case_count }) => (
        <option key={id} value={id}>
          {key} ({case_count} cases)
        </option>
      ))}
    </SelectField>
  );
}

/** The chosen set, or the only one; empty before a choice. */
export function inputSetIdOf(sets: readonly InputSet[], { inputSetId }: RunDraft): string {
  return sets.length === 1 ? (sets[0]?.id ?? '') : inputSetId;
}

/** The description of the chosen set; without a choice, the descriptions of all. */
function inputSetHint(sets: readonly InputSet[], chosen: string): ReactNode {
  const only = sets.find(({ id }) => id === chosen);
  if (only) return only.description ?? undefined;
  const described = sets.filter(({ description }) => description !== null);
  if (described.length === 0) return undefined;
  return described.map(({ id, key, description }) => (
    <span key={id} className={css.hintLine}>
      {key}: {description}
    </span>
  ));
}

function isStartable({ lifecycle_status }: Pack['versions'][number]): boolean {
  return lifecycle_status !== 'archived';
}

/** The version that a form begins with. */
export function firstVersionOf(packs: readonly Pack[]): string {
  return packs.flatMap(({ versions }) => versions.filter(isStartable))[0]?.id ?? '';
}

export function slugOf(packs: readonly Pack[], versionId: string): string | undefined {
  return packs.find(({ versions }) => versions.some(({ id }) => id === versionId))?.slug;
}

/** The mode of a version; undefined for one that is not in the list. */
export function modeOf(packs: readonly Pack[], versionId: string): ExecutionMode | undefined {
  const version = packs.flatMap(({ versions }) => versions).find(({ id }) => id === versionId);
  return EXECUTION_MODES.find((mode) => mode === version?.execution_mode);
}
