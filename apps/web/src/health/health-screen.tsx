import { Page } from '../design/page.js';

export default function HealthScreen() {
  return <Page title="Health">{null}</Page>;
}
