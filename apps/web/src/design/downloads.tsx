import { useState } from 'react';
import { Button } from './button.js';
import { classes } from './classes.js';
import css from './downloads.module.css';
import { formatCount } from './format.js';
import { saveFile } from './save-file.js';
import { Failure } from './states.js';
import { type AllItems, type FileRecord, recordsFile, TABLE_FILES } from './table-file.js';
import { showToast } from './toasts.js';

interface DownloadsProps {
  /** Outside of the frame of the list: without a line above. */
  isApart?: boolean;
  /** Names the files. */
  label: string;
  /** The records of all rows, also of those that are not on the screen. */
  records: () => AllItems<FileRecord> | Promise<AllItems<FileRecord>>;
}

/** Buttons that save the rows of a list as files; a note of it where a file has not all of them. */
export function Downloads({ isApart = false, label, records }: DownloadsProps) {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const save = async (format: (typeof TABLE_FILES)[number]) => {
    setBusy(true);
    setError(undefined);
    try {
      const { items, isCut } = await records();
      saveFile(recordsFile(items, format), `${label.toLowerCase().replaceAll(/\W+/g, '-')}.${format}`);
      if (isCut)
        showToast(`The file has only the first ${formatCount(items.length)} rows: the list has more`);
    } catch (problem) {
      setError(problem);
    }
    setBusy(false);
  };
  return (
    <>
      {error === undefined ? null : <Failure error={error} />}
      <p className={classes(css.downloads, isApart && css.apart)}>
        {TABLE_FILES.map((format) => (
          <Button
            key={format}
            kind="quiet"
            aria-label={`Download ${label} as ${format.toUpperCase()}`}
            isBusy={isBusy}
            onClick={() => void save(format)}
          >
            {format.toUpperCase()}
          </Button>
        ))}
      </p>
    </>
  );
}
