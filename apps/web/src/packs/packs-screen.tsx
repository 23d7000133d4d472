import { Page } from '../design/page.js';

export default function PacksScreen() {
  return <Page title="Packs">{null}</Page>;
}
