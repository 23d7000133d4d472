import css from './check.module.css';

interface FileChoiceProps {
  label: string;
  /** Endings to show first; default: all. */
  accept?: string;
  onFiles: (files: readonly File[]) => void;
}

/** Takes files from a dialog of the browser. */
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
          // Else choosing the same file after an edit would be no change.
          target.value = '';
        }}
      />
    </label>
  );
}
