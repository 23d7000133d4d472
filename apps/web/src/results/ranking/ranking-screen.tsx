import { Page } from '../../design/page.js';

export default function RankingScreen() {
  return <Page title="Ranking">{null}</Page>;
}
