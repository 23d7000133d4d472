import { type PackVersion, routes } from '@agentclash/api';
import { useState } from 'react';
import { useChange } from '../../data/use-change.js';
import { Badge, type Tone } from '../../design/badge.js';
import { Button } from '../../design/button.js';
import { Confirm } from '../../design/dialog.js';
import { Failure } from '../../design/states.js';
import { useMay } from '../../session/session.js';

type Lifecycle = PackVersion['lifecycle_status'];

/** The transitions from each lifecycle status, with their labels. */
const STEPS: Record<Lifecycle, readonly { to: Lifecycle; name: string }[]> = {
  runnable: [
    { to: 'deprecated', name: 'Deprecate' },
    { to: 'archived', name: 'Archive' },
  ],
  deprecated: [
    { to: 'runnable', name: 'Restore' },
    { to: 'archived', name: 'Archive' },
  ],
  archived: [],
};

export function LifecycleActions({ version: { id, lifecycle_status: now } }: { version: PackVersion }) {
  const mayChange = useMay('member');
  const [isConfirming, setConfirming] = useState(false);
  const change = useChange(routes.versions.setLifecycle, {
    touches: [routes.versions.get, routes.packs.get, routes.packs.list],
    done: ({ slug, version_number, lifecycle_status }) => `${slug} v${version_number} is ${lifecycle_status}`,
    onSuccess: () => setConfirming(false),
  });
  const move = (to: Lifecycle) =>
    change.mutate({ params: { version_id: id }, body: { lifecycle_status: to } });
  if (!mayChange) return null;
  return (
    <>
      {STEPS[now].map(({ to, name }) => (
        <Button
          key={to}
          kind={to === 'archived' ? 'danger' : 'plain'}
          onClick={() => (to === 'archived' ? setConfirming(true) : move(to))}
        >
          {name}
        </Button>
      ))}
      <Confirm
        title="Archive this version?"
        isOpen={isConfirming}
        onClose={() => setConfirming(false)}
        action="Archive"
        isBusy={change.isPending}
        onConfirm={() => move('archived')}
      >
        <p>An archived version cannot start runs, and archiving is final. Existing runs are kept.</p>
      </Confirm>
      {change.error && <Failure error={change.error} />}
    </>
  );
}

const TONES: Record<Lifecycle, Tone> = { runnable: 'good', deprecated: 'warn', archived: 'neutral' };

export function LifecycleBadge({ status }: { status: Lifecycle }) {
  return <Badge tone={TONES[status]}>{status}</Badge>;
}
