import { type DragEvent, useEffect, useMemo, useRef, useState } from 'react';
import { classes } from '../../design/classes.js';
import { Page } from '../../design/page.js';
import { Panel } from '../../design/panel.js';
import css from './check.module.css';
import { matchFiles } from './matching-files.js';
import { ProblemList } from './problem-list.js';
import { PublishButton } from './publish-button.js';
import { usePackCheck } from './use-pack-check.js';
import { Verdict } from './verdict.js';
import { WantedFiles } from './wanted-files.js';
import { YamlEditor } from './yaml-editor.js';

const YAML_FILE = /\.ya?ml$/i;
const NONE: readonly string[] = [];

/** Checks a pack while it is typed, pasted or dropped, with the code that publishing uses, and publishes it. */
export default function CheckScreen() {
  const [text, setText] = useState('');
  const [given, setGiven] = useState<readonly File[]>([]);
  const [wanted, setWanted] = useState(NONE);
  const matched = useMemo(() => matchFiles(wanted, given, pathOf), [wanted, given]);
  const files = useMemo(() => [...matched.keys()], [matched]);
  const { checked, bug } = usePackCheck(text, files);
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<YamlEditor>(null);

  useEffect(() => {
    if (host.current === null) return;
    const mine = new YamlEditor(host.current, { text: '', onChange: setText });
    editor.current = mine;
    return () => mine.close();
  }, []);
  useEffect(() => {
    editor.current?.mark(checked?.problems ?? []);
    if (checked !== undefined)
      setWanted((old) => (old.join('\n') === checked.wanted.join('\n') ? old : checked.wanted));
  }, [checked]);

  const take = async (dropped: readonly File[]) => {
    const document = dropped.find(({ name }) => YAML_FILE.test(name));
    if (document !== undefined && editor.current !== null) editor.current.text = await document.text();
    setGiven((old) => [...old, ...dropped.filter((file) => file !== document)]);
  };
  return (
    <Page
      title="Check a pack"
      lead="Type, paste or drop a challenge pack. It is checked here, in your browser."
    >
      <div className={css.layout}>
        <Editor host={host} onFiles={(dropped) => void take(dropped)} />
        <div className={css.side}>
          <Panel title="Result">
            <Verdict checked={checked} bug={bug} />
            {text.trim() !== '' && (
              <PublishButton text={text} files={matched} isValid={checked?.valid === true} />
            )}
          </Panel>
          <WantedFiles wanted={wanted} matched={matched} onFiles={(files) => void take(files)} />
          {checked !== undefined && checked.problems.length > 0 && (
            <Panel title={`Problems (${checked.problems.length})`} isFlush>
              <ProblemList problems={checked.problems} onGoTo={(problem) => editor.current?.goTo(problem)} />
            </Panel>
          )}
        </div>
      </div>
    </Page>
  );
}

interface EditorProps {
  host: React.RefObject<HTMLDivElement | null>;
  onFiles: (files: readonly File[]) => void;
}

/** The place of the editor, which takes dropped files too. */
function Editor({ host, onFiles }: EditorProps) {
  const [isOver, setOver] = useState(false);
  const drag = (event: DragEvent) => {
    event.preventDefault();
    setOver(event.type === 'dragover');
    if (event.type === 'drop') onFiles(Array.from(event.dataTransfer.files));
  };
  return (
    <div
      className={classes(css.editor, isOver && css.over)}
      onDragOverCapture={drag}
      onDragLeaveCapture={drag}
      onDropCapture={drag}
    >
      <label className={css.choose}>
        Open a file{' '}
        <input
          type="file"
          multiple
          accept=".yaml,.yml"
          onChange={({ target }) => onFiles(Array.from(target.files ?? []))}
        />
      </label>
      <div ref={host} className={css.host} />
    </div>
  );
}

function pathOf(file: File): string {
  return file.webkitRelativePath || file.name;
}
