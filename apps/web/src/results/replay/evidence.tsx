import { CaseView } from '../../cases/case-view.js';
import { CodeBlock } from '../../design/code-block.js';
import { formatBytes } from '../../design/format.js';
import { Panel } from '../../design/panel.js';
import type { FullAttempt } from './attempt-frame.js';
import css from './replay.module.css';

/** What an attempt left: its answer, the size of its workspace, and the case as it was stored. */
export function Evidence({ attempt: { final_output, snapshot, stored_case } }: { attempt: FullAttempt }) {
  return (
    <>
      <Panel title="Final output">
        {final_output === null ? (
          <p>There is none.</p>
        ) : (
          <CodeBlock text={final_output} label="final output" />
        )}
        {snapshot !== null && <p>The workspace was kept: {formatBytes(snapshot.bytes)}.</p>}
      </Panel>
      <details className={css.case}>
        <summary>The case</summary>
        <CaseView stored={stored_case} />
      </details>
    </>
  );
}
