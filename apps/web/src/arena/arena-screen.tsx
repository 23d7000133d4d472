import { Page } from '../design/page.js';

export default function ArenaScreen() {
  return <Page title="Arena">{null}</Page>;
}
