import { type Attempt, routes } from '@agentclash/api';
import { type ExecutionEventType, isOver, recordOf } from '@agentclash/domain';
import { useMutation } from '@tanstack/react-query';
import { Link } from 'wouter';
import { useRead } from '../../data/use-read.js';
import { Badge } from '../../design/badge.js';
import { Button } from '../../design/button.js';
import { CodeBlock } from '../../design/code-block.js';
import { formatBytes, formatCount } from '../../design/format.js';
import { saveFile } from '../../design/save-file.js';
import { Failure } from '../../design/states.js';
import { useSession } from '../../session/session.js';
import { DiffText } from '../diff/diff-text.js';
import { attemptAddress, attemptName } from '../full-attempt.js';
import css from './files.module.css';
import { type CapturedFile, capturedFile, nameOf } from './read-files.js';

const CAPTURED = 'grader.verification.file_captured' satisfies ExecutionEventType;
/** Files of an attempt that are loaded; its events have the others. */
const FILES_MAX = 5;
/** Characters of a file that are shown; the whole text can be saved. */
const TEXT_MAX = 65_536;
/** The last events of an attempt may be stored after its end. */
const REFRESH_MS = 5_000;

type ShownAttempt = Pick<Attempt, 'id' | 'state' | 'is_scored' | 'agent_name' | 'repetition'>;

interface AttemptFilesProps {
  attempt: ShownAttempt;
  /** Another attempt of the case, with whose files these are compared. */
  against?: ShownAttempt | undefined;
}

/** The files that were captured from the workspace of an attempt: what it made, where its output is no text. */
export function AttemptFiles({ attempt, against }: AttemptFilesProps) {
  const { data, error, refetch } = useCaptured(attempt);
  const others = useCaptured(against).data?.items ?? [];
  if (error && data === undefined) return <Failure error={error} onRetry={() => void refetch()} />;
  if (data === undefined || data.items.length === 0) return null;
  return (
    <section className={css.files} aria-label={`Files of ${attemptName(attempt)}`}>
      {data.items.map((event, index) => {
        const file = capturedFile(event);
        const other = others.map(capturedFile).find(({ path }) => path === file.path);
        return (
          <FileBlock
            key={file.event}
            file={file}
            attempt={attempt}
            left={other?.content.is === 'text' ? other.content.text : undefined}
            isOpen={index === 0}
          />
        );
      })}
      {data.next_cursor !== null && (
        <p className={css.quiet}>
          The first {FILES_MAX} files are shown;{' '}
          <Link to={attemptAddress(attempt.id, { tab: 'events' })}>the events have the others</Link>
        </p>
      )}
    </section>
  );
}

function useCaptured(attempt: ShownAttempt | undefined) {
  const isEnded = attempt !== undefined && isOver(attempt.state);
  return useRead(
    routes.attempts.events,
    { params: { attempt_id: attempt?.id ?? '' }, query: { event_type: CAPTURED, limit: FILES_MAX } },
    {
      enabled: isEnded,
      refetchInterval: (data) => isEnded && !attempt.is_scored && data?.items.length === 0 && REFRESH_MS,
    },
  );
}

interface FileBlockProps {
  file: CapturedFile;
  attempt: ShownAttempt;
  /** The text of the same file of another attempt. */
  left: string | undefined;
  isOpen: boolean;
}

function FileBlock({ file, attempt, left, isOpen }: FileBlockProps) {
  const { client } = useSession();
  const loading = useMutation({
    mutationFn: async (event: number) => {
      const params = { attempt_id: attempt.id, sequence_number: String(event) };
      const response = await client.call(routes.attempts.payload, { params });
      return capturedFile({ payload: recordOf(await response.json()), sequence_number: event });
    },
  });
  const { path, bytes, content } = loading.data ?? file;
  const label = `${path} of ${attemptName(attempt)}`;
  return (
    <details className={css.file} open={isOpen}>
      <summary>
        <code>{path}</code> {bytes !== null && content.is !== 'absent' && <small>{formatBytes(bytes)}</small>}{' '}
        {content.is === 'absent' && <Badge tone="warn">not there</Badge>}
      </summary>
      {content.is === 'binary' && <p className={css.quiet}>Not a text: its content is not stored</p>}
      {content.is === 'stored' && (
        <Button isBusy={loading.isPending} onClick={() => loading.mutate(file.event)}>
          Show {path}
        </Button>
      )}
      {content.is === 'text' && <FileText {...{ ...content, path, label, left }} />}
      {loading.error && <Failure error={loading.error} />}
    </details>
  );
}

interface FileTextProps {
  text: string;
  isBeginning: boolean;
  path: string;
  label: string;
  left: string | undefined;
}

function FileText({ text, isBeginning, path, label, left }: FileTextProps) {
  const shown = text.slice(0, TEXT_MAX);
  const isCut = shown.length < text.length;
  return (
    <>
      {text === '' ? (
        <p className={css.quiet}>The file is blank.</p>
      ) : left === undefined || left === text ? (
        <CodeBlock text={shown} label={label} shownMax={TEXT_MAX} />
      ) : (
        <DiffText left={left.slice(0, TEXT_MAX)} right={shown} label={label} isCode />
      )}
      {(isCut || isBeginning) && (
        <p className={css.quiet}>
          {isCut &&
            `The first ${formatCount(TEXT_MAX)} of ${formatCount(text.length)} characters are shown. `}
          {isBeginning && 'Only the beginning of the file was kept.'}{' '}
          {isCut && (
            <Button
              kind="quiet"
              onClick={() => saveFile(new Blob([text], { type: 'text/plain' }), nameOf(path))}
            >
              Download {path}
            </Button>
          )}
        </p>
      )}
    </>
  );
}
