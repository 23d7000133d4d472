import { hasRunEnded, MODEL_CALL_MODES, type ModelCallMode } from '@agentclash/domain';
import { SelectField } from '../design/field.js';
import type { RequestProblems } from './request-problems.js';
import { RunChoice } from './run-choice.js';
import type { Change, RunDraft } from './run-draft.js';

const NAMES: Readonly<Record<ModelCallMode, string>> = {
  live: 'live: make each call',
  record: 'record: make and keep each call',
  replay: 'replay: repeat a recorded run',
  cache: 'cache: repeat known requests',
};

const HINTS: Readonly<Record<ModelCallMode, string>> = {
  live: 'Every call of a model is made, and nothing can be replayed later.',
  record: 'Requests and replies are kept with each attempt, so that the run can be replayed without cost.',
  replay:
    'No call is made: each attempt is served the recorded replies of the same agent, case and repetition. An attempt whose request differs ends as replay_diverged.',
  cache:
    'A request that this workspace has made before is served its kept reply; any other call is made and kept.',
};

interface ModelCallsFieldsProps {
  draft: RunDraft;
  /** Slug of the chosen pack. */
  pack: string | undefined;
  problems: RequestProblems;
  onChange: Change;
}

/** How the models of a run are called, and for a replay the recorded run. */
export function ModelCallsFields({ draft, pack, problems, onChange }: ModelCallsFieldsProps) {
  const { modelCalls, replayFrom, hasRaceContext } = draft;
  const isServed = modelCalls === 'replay' || modelCalls === 'cache';
  return (
    <>
      <SelectField
        label="Model calls"
        hint={
          <>
            {HINTS[modelCalls]}
            {isServed && ' The scores are no new evidence about the models, and gates refuse them.'}
            {modelCalls === 'record' &&
              hasRaceContext &&
              ' A run whose agents see race progress cannot be replayed.'}
          </>
        }
        problem={problems.model_calls}
        value={modelCalls}
        onChange={({ target }) =>
          onChange({ modelCalls: MODEL_CALL_MODES.find((mode) => mode === target.value) ?? 'live' })
        }
      >
        {MODEL_CALL_MODES.map((mode) => (
          <option key={mode} value={mode}>
            {NAMES[mode]}
          </option>
        ))}
      </SelectField>
      {modelCalls === 'replay' && (
        <RunChoice
          label="Recorded run"
          hint="Its agents, cases and repetitions are chosen where you have not changed them."
          problem={problems.replay_from}
          value={replayFrom}
          onChange={(run) => onChange({ replayFrom: run })}
          among={{
            query: { model_calls: 'record', ...(pack !== undefined && { pack }) },
            isOffered: ({ status }) => hasRunEnded(status),
            name: 'recorded runs of this pack',
          }}
        />
      )}
    </>
  );
}
