import { Page } from '../../design/page.js';

export default function CheckScreen() {
  return <Page title="Check a pack">{null}</Page>;
}
