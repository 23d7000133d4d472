import { Page } from '../../design/page.js';

export default function AttemptScorecardScreen() {
  return <Page title="Scorecard">{null}</Page>;
}
