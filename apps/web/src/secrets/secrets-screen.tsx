import { Page } from '../design/page.js';

export default function SecretsScreen() {
  return <Page title="Secrets">{null}</Page>;
}
