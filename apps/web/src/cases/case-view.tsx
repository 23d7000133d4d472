import { Badge } from '../design/badge.js';
import { JsonBlock } from '../design/code-block.js';
import css from './case.module.css';
import { InputValue } from './input-value.js';
import { type CaseParts, type ExpectationParts, type InputParts, type Json, readCase } from './read-case.js';
import { StoredInput } from './stored-input.js';

/** A stored case: inputs by their kinds, payload, expectations, and the whole document as JSON. */
export function CaseView({ stored, manifest }: { stored: Json; manifest?: Json | undefined }) {
  const { expectations, whole, ...given } = readCase(stored, manifest);
  return (
    <div className={css.parts}>
      <CaseInputs {...given} />
      {expectations.length > 0 && <h3>Expected</h3>}
      {expectations.map((expectation) => (
        <Expectation key={expectation.key} expectation={expectation} />
      ))}
      <details>
        <summary>Case as JSON</summary>
        <JsonBlock value={whole} label="case" />
      </details>
    </div>
  );
}

/** The inputs of a case by their kinds, and its payload. */
export function CaseInputs({ inputs, payload }: Pick<CaseParts, 'inputs' | 'payload'>) {
  return (
    <>
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
    </>
  );
}

/** One expectation of a case: its value, or where the value comes from and what is there. */
export function Expectation({
  expectation: { key, kind, value, source, sourceValue, asset },
}: {
  expectation: ExpectationParts;
}) {
  const shown = value ?? sourceValue;
  return (
    <section aria-label={`expectation ${key}`}>
      <p>
        {key} <Badge>{kind}</Badge> {value === undefined && <code>{source}</code>}
      </p>
      {shown !== undefined ? (
        <InputValue label={`expectation ${key}`} kind="code" value={shown} />
      ) : (
        asset && <StoredInput input={{ key, kind: 'code', path: '' }} asset={asset} />
      )}
    </section>
  );
}

function Value({ input }: { input: InputParts }) {
  const { asset, key, kind, value } = input;
  if (value !== undefined) return <InputValue label={key} kind={kind} value={value} />;
  return asset === undefined ? <p>No value</p> : <StoredInput input={input} asset={asset} />;
}
