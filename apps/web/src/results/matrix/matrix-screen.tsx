import { Page } from '../../design/page.js';

export default function MatrixScreen() {
  return <Page title="Case matrix">{null}</Page>;
}
