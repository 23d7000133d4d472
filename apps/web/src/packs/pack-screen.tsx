import { Page } from '../design/page.js';

export default function PackScreen() {
  return <Page title="Pack">{null}</Page>;
}
