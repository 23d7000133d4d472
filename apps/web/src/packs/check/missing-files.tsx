import { Badge } from '../../design/badge.js';
import { Panel } from '../../design/panel.js';
import css from './check.module.css';

interface MissingFilesProps {
  wanted: readonly string[];
  matched: ReadonlyMap<string, File>;
  onFiles: (files: readonly File[]) => void;
}

/** The files that a pack refers to, and whether they have been added. */
export function MissingFiles({ wanted, matched, onFiles }: MissingFilesProps) {
  if (wanted.length === 0) return null;
  return (
    <Panel title="Referenced files">
      <ul className={css.files}>
        {wanted.map((path) => (
          <li key={path}>
            <code>{path}</code>{' '}
            {matched.has(path) ? <Badge tone="good">present</Badge> : <Badge tone="warn">missing</Badge>}
          </li>
        ))}
      </ul>
      <FileChoice label="Add files" onFiles={onFiles} />
    </Panel>
  );
}

interface FileChoiceProps {
  label: string;
  /** Accepted file extensions; default: all. */
  accept?: string;
  onFiles: (files: readonly File[]) => void;
}

/** Opens the file dialog of the browser. */
export function FileChoice({ label, accept, onFiles }: FileChoiceProps) {
  return (
    <label className={css.choose}>
      {label}{' '}
      <input
        type="file"
        multiple
        accept={accept}
        onChange={({ target }) => {
          onFiles(Array.from(target.files ?? []));
          // Otherwise choosing the same file again after an edit would fire no event.
          target.value = '';
        }}
      />
    </label>
  );
}
