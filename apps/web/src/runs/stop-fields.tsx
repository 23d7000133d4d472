import { type RunAgent, routes } from '@agentclash/api';
import {
  ALPHA_MAX,
  ALPHA_MIN,
  MARGIN_MAX,
  RACE_GOALS,
  RACE_METRICS,
  type RaceGoal,
  type RaceMetric,
  SEED_MAX,
} from '@agentclash/domain';
import { useRead } from '../data/use-read.js';
import { classes } from '../design/classes.js';
import { SelectField, TextField } from '../design/field.js';
import { ChoiceProblem } from './contestants.js';
import type { RequestProblems } from './request-problems.js';
import { RunChoice } from './run-choice.js';
import type { Change, RunDraft } from './run-draft.js';
import css from './start-run-form.module.css';
import { hasBudget, type StopDraft } from './stop-draft.js';

const GOALS: Readonly<Record<RaceGoal, string>> = {
  ranking: 'ranking: decide every pair of agents',
  best: 'best: find the best agent',
  baseline: 'baseline: compare each agent with an earlier one',
};

const METRICS: Readonly<Record<RaceMetric, string>> = {
  pass: 'pass: the share of passed attempts',
  overall: 'overall: the overall score',
};

/** The version and input set that the run is of: a baseline must be of the same. */
interface RacedCases {
  /** Slug of the pack. */
  pack: string | undefined;
  versionId: string;
  inputSetId: string;
}

interface StopFieldsProps {
  draft: RunDraft;
  cases: RacedCases;
  /** Of the run that the baseline is chosen from. */
  baselineLanes: readonly RunAgent[];
  problems: RequestProblems;
  onChange: Change;
}

/** When the run ends before its last case, and the order of its cases. */
export function StopFields({ draft, cases, baselineLanes, problems, onChange }: StopFieldsProps) {
  const { stop, seed } = draft;
  const change = (part: Partial<StopDraft>) => onChange({ stop: { ...stop, ...part } });
  return (
    <div className={css.fields}>
      <label className={classes(css.choice, css.wide)}>
        <input
          type="checkbox"
          checked={stop.isDecided}
          onChange={({ target }) => change({ isDecided: target.checked })}
        />
        Stop as soon as the verdict is known
      </label>
      {stop.isDecided && (
        <DecidedFields
          stop={stop}
          cases={cases}
          lanes={baselineLanes}
          problems={problems}
          onChange={change}
        />
      )}
      <TextField
        label="US dollars at most (optional)"
        hint="Of all calls of models, reserved before each call: every model needs a price"
        type="number"
        step="any"
        min={0}
        problem={problems['stop_when.budget.usd']}
        value={stop.usd}
        onChange={({ target }) => change({ usd: target.value })}
      />
      <TextField
        label="Tokens at most (optional)"
        hint="Of all calls of models, of requests and replies"
        type="number"
        min={1}
        problem={problems['stop_when.budget.tokens']}
        value={stop.tokens}
        onChange={({ target }) => change({ tokens: target.value })}
      />
      <TextField
        label="Attempts at most (optional)"
        hint="The run ends when so many attempts were started"
        type="number"
        min={1}
        max={100_000}
        problem={problems['stop_when.budget.attempts']}
        value={stop.attempts}
        onChange={({ target }) => change({ attempts: target.value })}
      />
      <TextField
        label="Seed (optional)"
        hint={
          stop.isDecided || hasBudget(stop)
            ? 'Draws the order of the cases; default: a random seed'
            : "Draws the order of the cases; default: the pack's order"
        }
        type="number"
        min={0}
        max={SEED_MAX}
        problem={problems.seed}
        value={seed}
        onChange={({ target }) => onChange({ seed: target.value })}
      />
      <ChoiceProblem text={problems.stop_when} />
    </div>
  );
}

interface DecidedFieldsProps extends Pick<StopFieldsProps, 'cases' | 'problems'> {
  stop: StopDraft;
  lanes: readonly RunAgent[];
  onChange: (part: Partial<StopDraft>) => void;
}

function DecidedFields({ stop, cases, lanes, problems, onChange }: DecidedFieldsProps) {
  const { goal, metric, alpha, margin } = stop;
  return (
    <>
      <SelectField
        label="Goal"
        problem={problems['stop_when.decided.goal']}
        value={goal}
        onChange={({ target }) =>
          onChange({ goal: RACE_GOALS.find((known) => known === target.value) ?? 'ranking' })
        }
      >
        {RACE_GOALS.map((known) => (
          <option key={known} value={known}>
            {GOALS[known]}
          </option>
        ))}
      </SelectField>
      {goal === 'baseline' && (
        <BaselineFields
          stop={stop}
          cases={cases}
          lanes={lanes}
          problem={problems['stop_when.decided.baseline']}
          onChange={onChange}
        />
      )}
      <SelectField
        label="Metric"
        problem={problems['stop_when.decided.metric']}
        value={metric}
        onChange={({ target }) =>
          onChange({ metric: RACE_METRICS.find((known) => known === target.value) ?? 'pass' })
        }
      >
        {RACE_METRICS.map((known) => (
          <option key={known} value={known}>
            {METRICS[known]}
          </option>
        ))}
      </SelectField>
      <TextField
        label="Alpha"
        hint="Chance that any verdict of the run is not the one that all cases would show"
        type="number"
        step="any"
        min={ALPHA_MIN}
        max={ALPHA_MAX}
        required
        problem={problems['stop_when.decided.alpha']}
        value={alpha}
        onChange={({ target }) => onChange({ alpha: target.value })}
      />
      <TextField
        label="Margin"
        hint="Agents that differ by less are equivalent; 0: only a difference decides"
        type="number"
        step="any"
        min={0}
        max={MARGIN_MAX}
        required
        problem={problems['stop_when.decided.margin']}
        value={margin}
        onChange={({ target }) => onChange({ margin: target.value })}
      />
    </>
  );
}

interface BaselineFieldsProps extends Pick<DecidedFieldsProps, 'stop' | 'cases' | 'lanes' | 'onChange'> {
  problem: string | undefined;
}

/** A completed run of the same cases, and one of its agents. */
function BaselineFields({ stop, cases, lanes, problem, onChange }: BaselineFieldsProps) {
  const { pack, versionId, inputSetId } = cases;
  const isOfRun = lanes.length > 1;
  return (
    <>
      <RunChoice
        label="Run of the baseline"
        hint="A completed run on the same version and input set"
        problem={isOfRun ? undefined : problem}
        value={stop.baselineRun}
        onChange={(run) => onChange({ baselineRun: run, baseline: '' })}
        among={{
          query: { status: 'completed', ...(pack !== undefined && { pack }) },
          isOffered: ({ challenge_pack_version_id, input_set }) =>
            challenge_pack_version_id === versionId && input_set.id === inputSetId,
          name: 'completed runs on this version and input set',
        }}
      />
      {isOfRun && (
        <SelectField
          label="Baseline"
          problem={problem}
          value={stop.baseline}
          onChange={({ target }) => onChange({ baseline: target.value })}
        >
          <option value="">choose an agent</option>
          {lanes.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </SelectField>
      )}
    </>
  );
}

/** The agents of the run that the baseline is chosen from; its only agent is chosen by itself. */
export function useBaselineLanes(stop: StopDraft): { stop: StopDraft; lanes: readonly RunAgent[] } {
  const { baselineRun, baseline } = stop;
  const isChosen = baselineRun !== '';
  const { data } = useRead(routes.runs.agents, { params: { run_id: baselineRun } }, { enabled: isChosen });
  const lanes = isChosen && data ? data.items : [];
  const [only, ...others] = lanes;
  const isSingle = only !== undefined && others.length === 0;
  return { lanes, stop: isSingle && baseline === '' ? { ...stop, baseline: only.id } : stop };
}
