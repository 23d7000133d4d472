import { Badge } from '../../design/badge.js';
import { CodeBlock, JsonBlock } from '../../design/code-block.js';
import { NOTHING } from '../../design/format.js';
import { Panel } from '../../design/panel.js';
import { type Column, Table } from '../../design/table.js';
import css from './manifest-view.module.css';
import type { ManifestParts } from './read-manifest.js';

type Row<Name extends keyof ManifestParts> = ManifestParts[Name] extends readonly (infer R)[] ? R : never;

const VALIDATORS: readonly Column<Row<'validators'>>[] = [
  { key: 'key', title: 'Validator', cell: ({ key }) => key },
  { key: 'type', title: 'Type', cell: ({ type }) => <code>{type}</code> },
  { key: 'target', title: 'Target', cell: ({ target }) => <code>{target || NOTHING}</code> },
];
const DIMENSIONS: readonly Column<Row<'dimensions'>>[] = [
  {
    key: 'key',
    title: 'Dimension',
    cell: ({ key, isGate }) => (
      <>
        {key} {isGate && <Badge tone="warn">gate</Badge>}
      </>
    ),
  },
  { key: 'source', title: 'Source', cell: ({ source }) => source || NOTHING },
  { key: 'weight', title: 'Weight', isFigure: true, cell: ({ weight }) => weight || NOTHING },
  {
    key: 'threshold',
    title: 'Pass threshold',
    isFigure: true,
    cell: ({ threshold }) => threshold || NOTHING,
  },
];
const JUDGES: readonly Column<Row<'judges'>>[] = [
  { key: 'key', title: 'Judge', cell: ({ key }) => key },
  { key: 'mode', title: 'Mode', cell: ({ mode }) => mode },
];
const TOOLS: readonly Column<Row<'tools'>>[] = [
  { key: 'name', title: 'Tool', cell: ({ name }) => <code>{name}</code> },
  { key: 'does', title: 'Implementation', cell: ({ does }) => does || NOTHING },
  { key: 'description', title: 'Description', cell: ({ description }) => description },
];

/** A manifest: challenges, scoring, tools, policies, and the whole document as JSON. */
export function ManifestView({ manifest }: { manifest: ManifestParts }) {
  const { challenges, validators, judges, dimensions, tools, policies, strategy, passThreshold, whole } =
    manifest;
  return (
    <>
      <Panel title="Challenges">
        {challenges.map(({ key, title, category, difficulty, instructions }) => (
          <article key={key} className={css.challenge}>
            <h3>{title}</h3>
            <p className={css.facts}>
              <code>{key}</code> {category} <Badge>{difficulty}</Badge>
            </p>
            {instructions !== '' && <CodeBlock text={instructions} label={`instructions of ${key}`} />}
          </article>
        ))}
      </Panel>
      <Panel
        title="Scoring"
        actions={
          <span className={css.facts}>
            {strategy} {passThreshold !== '' && `Pass threshold ${passThreshold}`}
          </span>
        }
        isFlush
      >
        {dimensions.length > 0 && (
          <Table
            label="Dimensions"
            columns={DIMENSIONS}
            rows={dimensions}
            keyOf={({ key }) => key}
            isStacked
          />
        )}
        {validators.length > 0 && (
          <Table
            label="Validators"
            columns={VALIDATORS}
            rows={validators}
            keyOf={({ key }) => key}
            isStacked
          />
        )}
        {judges.length > 0 && (
          <Table label="Judges" columns={JUDGES} rows={judges} keyOf={({ key }) => key} isStacked />
        )}
      </Panel>
      {tools.length > 0 && (
        <Panel title="Tools" isFlush>
          <Table label="Tools" columns={TOOLS} rows={tools} keyOf={({ name }) => name} isStacked />
        </Panel>
      )}
      {policies.length > 0 && (
        <Panel title="Policy">
          {policies.map(({ name, value }) => (
            <section key={name} className={css.challenge}>
              <h3>{name}</h3>
              <JsonBlock value={value} label={name} />
            </section>
          ))}
        </Panel>
      )}
      <details className={css.whole}>
        <summary>Manifest as JSON</summary>
        <JsonBlock value={whole} label="manifest" />
      </details>
    </>
  );
}
