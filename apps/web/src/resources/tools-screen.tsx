import { Page } from '../design/page.js';

export default function ToolsScreen() {
  return <Page title="Tools">{null}</Page>;
}
