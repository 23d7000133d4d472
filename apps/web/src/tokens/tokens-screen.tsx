import { Page } from '../design/page.js';

export default function TokensScreen() {
  return <Page title="Tokens">{null}</Page>;
}
