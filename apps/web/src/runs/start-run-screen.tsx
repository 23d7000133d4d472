import { Page } from '../design/page.js';

export default function StartRunScreen() {
  return <Page title="Start a run">{null}</Page>;
}
