import { Page } from '../../design/page.js';

export default function VersionScreen() {
  return <Page title="Version">{null}</Page>;
}
