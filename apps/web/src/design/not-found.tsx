import { ButtonLink } from './button.js';
import { Empty } from './empty.js';
import { Page } from './page.js';

export function NotFound() {
  return (
    <Page title="Page not found">
      <Empty title="No page has this address.">
        <ButtonLink to="/runs">Runs</ButtonLink>
      </Empty>
    </Page>
  );
}
