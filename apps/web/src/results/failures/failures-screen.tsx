import { Page } from '../../design/page.js';

export default function FailuresScreen() {
  return <Page title="Failures">{null}</Page>;
}
