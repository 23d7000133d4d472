import { CaseView } from '../../cases/case-view.js';
import { CodeBlock } from '../../design/code-block.js';
import { formatBytes } from '../../design/format.js';
import { Panel } from '../../design/panel.js';
import type { FullAttempt } from './attempt-frame.js';
import css from './replay.module.css';

/** The final output of an attempt, the size of its workspace snapshot, and its case. */
export function Evidence({ attempt: { final_output, snapshot, stored_case } }: { attempt: FullAttempt }) {
  return (
    <>
      <Panel title="Final output">
        {final_output === null ? (
          <p>No final output</p>
        ) : (
          <CodeBlock text={final_output} label="final output" />
        )}
        {snapshot !== null && <p>Workspace snapshot {formatBytes(snapshot.bytes)}</p>}
      </Panel>
      <details className={css.case}>
        <summary>Case</summary>
        <CaseView stored={stored_case} />
      </details>
    </>
  );
}
