import { Page } from '../design/page.js';
import { Only } from '../session/only.js';
import { Tokens } from './tokens.js';

/** The tokens of the workspace; a value is shown once, after its creation. */
export default function TokensScreen() {
  return (
    <Page title="Tokens" lead="A token belongs to this workspace and has a role. Its value is shown once.">
      <Only needs="admin" to="see and create tokens">
        <Tokens />
      </Only>
    </Page>
  );
}
