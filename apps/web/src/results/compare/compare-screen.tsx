import { Page } from '../../design/page.js';

export default function CompareScreen() {
  return <Page title="Compare">{null}</Page>;
}
