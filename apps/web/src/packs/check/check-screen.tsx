import { type DragEvent, useEffect, useMemo, useState } from 'react';
import { flushSync } from 'react-dom';
import { Badge } from '../../design/badge.js';
import { classes } from '../../design/classes.js';
import { Page } from '../../design/page.js';
import { Panel } from '../../design/panel.js';
import { Tabs } from '../../design/tabs.js';
import { useYamlEditor } from '../../editor/use-yaml-editor.js';
import type { YamlEditor } from '../../editor/yaml-editor.js';
import { useSession } from '../../session/session.js';
import { DraftChanges } from '../changes/draft-changes.js';
import { DraftText } from '../draft/draft-text.js';
import css from './check.module.css';
import { findDocument, noDocument, readDocument } from './document-file.js';
import { DryRun } from './dry-run.js';
import { matchFiles, withFiles } from './matching-files.js';
import { PublishButton } from './publish-button.js';
import { usePackCheck } from './use-pack-check.js';
import { ProblemList, Verdict } from './verdict.js';

const NONE: readonly string[] = [];

type View = 'document' | 'changes';

const VIEWS = [
  { key: 'document', name: 'Document' },
  { key: 'changes', name: 'Changes' },
] as const;

/** Checks a pack while it is typed, pasted or dropped, with the same code as publishing, and publishes it. */
export default function CheckScreen() {
  const { whoami } = useSession();
  const [kept] = useState(() => new DraftText(sessionStorage, whoami.workspace?.id ?? ''));
  const [text, setText] = useState(() => kept.find());
  const [view, setView] = useState<View>('document');
  const [notice, setNotice] = useState('');
  const [given, setGiven] = useState<readonly File[]>([]);
  const [wanted, setWanted] = useState(NONE);
  const matched = useMemo(() => matchFiles(wanted, given, pathOf), [wanted, given]);
  const files = useMemo(() => [...matched.keys()], [matched]);
  const { checked, bug } = usePackCheck(text, files);
  const { host, editor } = useYamlEditor({
    text: kept.find(),
    label: 'Challenge pack, YAML',
    onChange: (typed) => {
      setText(typed);
      kept.keep(typed);
    },
  });

  useEffect(() => {
    editor.current?.mark(checked?.problems ?? [], checked?.fixes);
    if (checked !== undefined)
      setWanted((old) => (old.join('\n') === checked.wanted.join('\n') ? old : checked.wanted));
  }, [checked, editor]);

  const inDocument = (change: (shown: YamlEditor) => void) => {
    // A hidden editor cannot take the focus.
    flushSync(() => setView('document'));
    if (editor.current !== null) change(editor.current);
  };
  const add = (files: readonly File[]) => setGiven((old) => withFiles(old, files, pathOf));
  const open = async (files: readonly File[]) => {
    const isBeside = (file: File) => matchFiles(wanted, [file], pathOf).size > 0;
    const document = findDocument(files, isBeside);
    add(files.filter((file) => file !== document));
    if (document === undefined) {
      const unknown = files.filter((file) => !isBeside(file));
      setNotice(unknown.length === 0 ? '' : noDocument(unknown));
      return;
    }
    const reading = await readDocument(document);
    if ('text' in reading && editor.current !== null) editor.current.text = reading.text;
    setNotice('text' in reading ? `Opened ${document.name}` : reading.problem);
  };
  return (
    <Page title="Check a pack" lead="Type, paste or drop a challenge pack. It is checked in your browser.">
      <div className={css.layout}>
        <Tabs label="Views of the document" tabs={VIEWS} current={view} onChange={setView}>
          {(key) =>
            key === 'document' ? (
              <Editor host={host} notice={notice} onFiles={(files) => void open(files)} />
            ) : (
              view === key && <DraftChanges text={text} slug={checked?.summary.slug ?? undefined} />
            )
          }
        </Tabs>
        <div className={css.side}>
          <Panel title="Result">
            <Verdict checked={checked} bug={bug} />
            {text.trim() !== '' && (
              <>
                <PublishButton text={text} files={matched} isValid={checked?.valid === true} />{' '}
                <DryRun text={text} files={matched} isValid={checked?.valid === true} />
              </>
            )}
          </Panel>
          <MissingFiles wanted={wanted} matched={matched} onFiles={add} />
          {checked !== undefined && checked.problems.length > 0 && (
            <Panel title={`Problems (${checked.problems.length})`} isFlush>
              <ProblemList
                problems={checked.problems}
                fixes={checked.fixes}
                onGoTo={(problem) => inDocument((shown) => shown.goTo(problem))}
                onFix={(fix) => inDocument((shown) => shown.fix(fix))}
              />
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
  /** The result of the last choice of files. */
  notice: string;
}

const KEYS =
  'Ctrl-Space completes, Ctrl-I documents, Ctrl-. fixes, F8 goes to the next problem, Tab leaves the editor.';

/** The container of the editor, which accepts dropped files too. */
function Editor({ host, onFiles, notice }: EditorProps) {
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
      <div className={css.opening}>
        <FileChoice label="Open a file" accept=".yaml,.yml,.json" onFiles={onFiles} />
        <p role="status" className={css.hint}>
          {notice}
        </p>
      </div>
      <div ref={host} className={css.host} />
      <p className={css.hint}>{KEYS}</p>
    </div>
  );
}

function pathOf(file: File): string {
  return file.webkitRelativePath || file.name;
}

interface MissingFilesProps {
  wanted: readonly string[];
  matched: ReadonlyMap<string, File>;
  onFiles: (files: readonly File[]) => void;
}

/** The files that a pack refers to, and whether they have been added. */
function MissingFiles({ wanted, matched, onFiles }: MissingFilesProps) {
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
function FileChoice({ label, accept, onFiles }: FileChoiceProps) {
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
