import { Page } from '../design/page.js';

export default function ProfilesScreen() {
  return <Page title="Profiles">{null}</Page>;
}
