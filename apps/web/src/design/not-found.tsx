import { ButtonLink } from './button.js';
import { Empty } from './empty.js';
import { Page } from './page.js';

export function NotFound() {
  return (
    <Page title="No such page">
      <Empty title="There is nothing at this address.">
        <ButtonLink to="/runs">To the runs</ButtonLink>
      </Empty>
    </Page>
  );
}
