import { Page } from '../../design/page.js';

export default function LaneScreen() {
  return <Page title="Scorecard">{null}</Page>;
}
