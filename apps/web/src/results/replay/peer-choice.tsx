import { routes } from '@agentclash/api';
import { useAll } from '../../data/use-all.js';
import { SelectField } from '../../design/field.js';
import type { FullAttempt } from './attempt-frame.js';
import { attemptName } from './attempt-name.js';

interface PeerChoiceProps {
  attempt: FullAttempt;
  value: string;
  onChange: (attemptId: string) => void;
}

/** Selects the attempt of another agent, or another repetition, to compare with this one. */
export function PeerChoice({ attempt, value, onChange }: PeerChoiceProps) {
  const all = useAll(routes.runs.attempts, { params: { run_id: attempt.run_id } });
  const peers = (all.data ?? []).filter(
    ({ id, case_key }) => id !== attempt.id && case_key === attempt.case_key,
  );
  return (
    <SelectField label="Compare with" value={value} onChange={({ target }) => onChange(target.value)}>
      <option value="">none</option>
      {peers.map((peer) => (
        <option key={peer.id} value={peer.id}>
          {attemptName(peer)}
        </option>
      ))}
    </SelectField>
  );
}
