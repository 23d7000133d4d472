import css from './check.module.css';

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
