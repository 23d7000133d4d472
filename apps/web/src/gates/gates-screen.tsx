import { Page } from '../design/page.js';
import { Section } from '../design/section.js';
import type { ScreenProps } from '../navigation/screen-route.js';
import { ResourceSection } from '../resources/resource-screen.js';
import { Baselines } from './baselines.js';
import { Decisions } from './decisions.js';
import { POLICIES } from './policies.js';

/** Decisions, baselines and gate policies. */
export default function GatesScreen(_props: ScreenProps) {
  return (
    <Page
      title="Gates"
      lead="A gate compares a run with its baseline: pass, warn, fail or insufficient evidence."
    >
      <Section title="Decisions">
        <Decisions />
      </Section>
      <Section title="Baselines">
        <Baselines />
      </Section>
      <ResourceSection kind={POLICIES} />
    </Page>
  );
}
