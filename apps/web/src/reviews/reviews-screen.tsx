import { Page } from '../design/page.js';
import type { ScreenProps } from '../navigation/screen-route.js';
import { Queues } from './queues.js';

/** The review queues of the workspace. */
export default function ReviewsScreen(_props: ScreenProps) {
  return (
    <Page title="Reviews" lead="People review outputs without knowing which agent gave them.">
      <Queues />
    </Page>
  );
}
