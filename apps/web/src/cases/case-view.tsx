import { Badge } from '../design/badge.js';
import { JsonBlock } from '../design/code-block.js';
import css from './case.module.css';
import { InputValue } from './input-value.js';
import { type InputParts, type Json, readCase } from './read-case.js';
import { StoredInput } from './stored-input.js';

/** A stored case: inputs by their kinds, payload, expectations, and the whole document as JSON. */
export function CaseView({ stored, manifest }: { stored: Json; manifest?: Json | undefined }) {
  const { inputs, expectations, payload, whole } = readCase(stored, manifest);
  return (
    <div className={css.parts}>
      {inputs.map((input) => (
        <section key={input.key} aria-label={`input ${input.key}`}>
          <h3>
            {input.key} <Badge>{input.kind}</Badge>
          </h3>
          <Value input={input} />
        </section>
      ))}
      {payload && (
        <section aria-label="payload">
          <h3>Payload</h3>
          <JsonBlock value={payload} label="payload" />
        </section>
      )}
      {expectations.length > 0 && <h3>Expected</h3>}
      {expectations.map(({ key, kind, value, source }) => (
        <section key={key} aria-label={`expectation ${key}`}>
          <p>
            {key} <Badge>{kind}</Badge> {value === undefined && <code>{source}</code>}
          </p>
          {value !== undefined && <InputValue label={`expectation ${key}`} kind="code" value={value} />}
        </section>
      ))}
      <details>
        <summary>Case as JSON</summary>
        <JsonBlock value={whole} label="case" />
      </details>
    </div>
  );
}

function Value({ input }: { input: InputParts }) {
  const { asset, key, kind, value } = input;
  if (value !== undefined) return <InputValue label={key} kind={kind} value={value} />;
  return asset === undefined ? <p>No value</p> : <StoredInput input={input} asset={asset} />;
}
