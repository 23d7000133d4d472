import type { Role } from '@agentclash/domain';
import type { ReactNode } from 'react';
import { Empty } from '../design/states.js';
import { useMay, useSession } from './session.js';

interface OnlyProps {
  needs: Role;
  /** The action that needs the role, such as "see secrets". */
  to: string;
  children: ReactNode;
}

/** A part of the page for one role; for others the missing role. */
export function Only({ needs: role, to, children }: OnlyProps) {
  const { whoami } = useSession();
  if (useMay(role)) return <>{children}</>;
  return (
    <Empty title={`Only ${role === 'admin' ? 'an admin' : `a ${role}`} may ${to}.`}>
      <p>
        Your token {whoami.token.name && <q>{whoami.token.name}</q>} has the role {whoami.role}. An admin of
        the workspace can create one with the role {role}.
      </p>
    </Empty>
  );
}

/** A part of the page for the operator of the installation. */
export function OperatorOnly({ to, children }: Omit<OnlyProps, 'needs'>) {
  const { whoami } = useSession();
  if (whoami.role === 'operator') return <>{children}</>;
  return (
    <Empty title={`Only the operator of the installation may ${to}.`}>
      <p>
        Your token has the role {whoami.role} in one workspace. Sign in with the operator’s token, which is in
        the credentials file of the installation.
      </p>
    </Empty>
  );
}
