import {
  type Baseline,
  type GateDecision,
  type GatePolicy,
  limitsOf,
  type RunAgent,
  routes,
} from '@agentclash/api';
import { type FormEvent, useState } from 'react';
import { newIdempotencyKey } from '../data/idempotency-key.js';
import { useChange } from '../data/use-change.js';
import { useRead } from '../data/use-read.js';
import { Button } from '../design/button.js';
import { SelectField } from '../design/field.js';
import css from '../design/inline-form.module.css';
import { Failure } from '../design/states.js';
import { LaneField } from '../results/compare/lane-field.js';

/** Without a choice each agent is compared with the agent of its name. */
const BY_NAME = 'every agent, by name';

interface GateFormProps {
  runId: string;
  baselines: readonly Baseline[];
  policies: readonly GatePolicy[];
  agents: readonly RunAgent[];
  onDecided: (decision: GateDecision) => void;
}

/** Runs a gate: may this run replace its baseline? */
export function GateForm({ runId, baselines, policies, agents, onDecided }: GateFormProps) {
  const [baseline, setBaseline] = useState(() => preferred(baselines));
  const [policy, setPolicy] = useState(() => preferred(policies));
  const [candidateAgent, setCandidateAgent] = useState('');
  const [baselineAgent, setBaselineAgent] = useState('');
  const builtIn = useRead(routes.gatePolicies.getDefault, {}, { enabled: policy === '' });
  const evaluate = useChange(routes.gates.evaluate, {
    touches: [routes.gates.list],
    done: ({ verdict }) => `Gate decided: ${verdict}`,
    onSuccess: onDecided,
  });
  const chosen = baselines.find(({ name }) => name === baseline);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const body = {
      baseline,
      candidate_run_id: runId,
      ...(policy !== '' && { policy }),
      ...(candidateAgent !== '' && { candidate_agent: candidateAgent }),
      ...(baselineAgent !== '' && { baseline_agent: baselineAgent }),
    };
    evaluate.mutate({ body, idempotencyKey: newIdempotencyKey() });
  };
  return (
    <form className={css.form} onSubmit={submit}>
      <SelectField
        label="Baseline"
        value={baseline}
        onChange={({ target }) => {
          setBaseline(target.value);
          setBaselineAgent('');
        }}
      >
        {baselines.map(({ name, agent_name }) => (
          <option key={name} value={name}>
            {agent_name === null ? name : `${name} (${agent_name})`}
          </option>
        ))}
      </SelectField>
      <SelectField
        label="Policy"
        hint={policy === '' && builtIn.data ? `Built-in: ${limitsOf(builtIn.data).join('; ')}.` : undefined}
        value={policy}
        onChange={({ target }) => setPolicy(target.value)}
      >
        {!policies.some(({ name }) => name === 'default') && <option value="">built-in</option>}
        {policies.map(({ name }) => (
          <option key={name}>{name}</option>
        ))}
      </SelectField>
      <LaneField
        label="Agent of this run"
        agents={agents}
        value={candidateAgent}
        onChange={setCandidateAgent}
        none={BY_NAME}
      />
      {chosen?.agent_name === null && (
        <BaselineAgent runId={chosen.run_id} value={baselineAgent} onChange={setBaselineAgent} />
      )}
      <Button type="submit" kind="primary" isBusy={evaluate.isPending}>
        Run gate
      </Button>
      {evaluate.error && (
        <div className={css.wide}>
          <Failure error={evaluate.error} />
        </div>
      )}
    </form>
  );
}

interface BaselineAgentProps {
  runId: string;
  value: string;
  onChange: (name: string) => void;
}

/** Of a baseline that names no lane. */
function BaselineAgent({ runId, value, onChange }: BaselineAgentProps) {
  const { data } = useRead(routes.runs.agents, { params: { run_id: runId } });
  return (
    <LaneField
      label="Agent of the baseline"
      agents={data?.items ?? []}
      value={value}
      onChange={onChange}
      none={BY_NAME}
    />
  );
}

/** The one named `default`, else the first; empty where there is none. */
function preferred(named: readonly { name: string }[]): string {
  return (named.find(({ name }) => name === 'default') ?? named[0])?.name ?? '';
}
