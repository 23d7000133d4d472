import { routes } from '@agentclash/api';
import { type FormEvent, useState } from 'react';
import { newIdempotencyKey } from '../../data/idempotency-key.js';
import { unlessChanged } from '../../data/unless-changed.js';
import { useChange } from '../../data/use-change.js';
import { Button } from '../../design/button.js';
import { TextArea } from '../../design/field.js';
import { Panel } from '../../design/panel.js';
import { Failure } from '../../design/states.js';
import { useMay } from '../../session/session.js';
import type { FullAttempt } from '../full-attempt.js';

/** The reply form of an attempt that awaits human input. */
export function HumanTurn({ attempt: { id, awaits } }: { attempt: FullAttempt }) {
  const [message, setMessage] = useState('');
  const mayReply = useMay('member');
  const reply = useChange(routes.attempts.answer, {
    touches: [routes.attempts.get, routes.attempts.replay],
    done: 'Reply sent',
  });
  if (awaits == null) return null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const body = { turn_index: awaits.turn_index, message };
    reply.mutate(
      { params: { attempt_id: id }, body, idempotencyKey: newIdempotencyKey() },
      { onSuccess: () => setMessage(unlessChanged(message, '')) },
    );
  };
  return (
    <Panel title={`Turn ${awaits.turn_index} awaits human input`}>
      {mayReply ? (
        <form onSubmit={submit}>
          <TextArea
            label="Reply"
            required
            value={message}
            onChange={({ target }) => setMessage(target.value)}
          />
          {reply.error && <Failure error={reply.error} />}
          <Button type="submit" kind="primary" isBusy={reply.isPending}>
            Send
          </Button>
        </form>
      ) : (
        <p>Only members of the workspace may reply.</p>
      )}
    </Panel>
  );
}
