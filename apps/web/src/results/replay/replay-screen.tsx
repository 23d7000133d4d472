import { Page } from '../../design/page.js';

export default function ReplayScreen() {
  return <Page title="Replay">{null}</Page>;
}
