import { Page } from '../design/page.js';

export default function DeploymentsScreen() {
  return <Page title="Deployments">{null}</Page>;
}
