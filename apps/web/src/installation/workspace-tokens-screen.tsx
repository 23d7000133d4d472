import { Link } from 'wouter';
import { Page } from '../design/page.js';
import type { ScreenProps } from '../navigation/screen-route.js';
import { OperatorOnly } from '../session/only.js';
import { Tokens } from '../tokens/tokens.js';

/** The tokens of any workspace, for the operator. */
export default function WorkspaceTokensScreen({ params: { workspace } }: ScreenProps<'workspace'>) {
  return (
    <Page
      title={`Tokens of ${workspace}`}
      lead={
        <>
          A token belongs to this workspace and has a role. Its value is shown once.
          <Link to="/workspaces">Workspaces</Link>
        </>
      }
    >
      <OperatorOnly to="manage tokens of other workspaces">
        <Tokens workspace={workspace} />
      </OperatorOnly>
    </Page>
  );
}
