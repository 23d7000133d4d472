import { Page } from '../design/page.js';

export default function ModelsScreen() {
  return <Page title="Models">{null}</Page>;
}
