import { CommandError } from '../command-error.js';
import { environment } from '../config.js';
import { Interrupt } from '../follow/interrupt.js';
import { isResultsFile } from '../lookup/results-file.js';
import { runOfFile } from '../lookup/run-source.js';
import type { Session } from '../session/session.js';
import { oneLine } from '../terminal/printable.js';
import { openBrowser } from './stack/open.js';

interface Input {
  file: string;
  print?: boolean;
}

/** Shows a file of results in the web app until Ctrl-C. */
export async function viewResults(session: Session, { file, print }: Input): Promise<undefined> {
  const { out } = session;
  if (!isResultsFile(file)) {
    throw new CommandError('usage', `${file} is no file of results: its name ends with .clash`, {
      hint: 'agentclash open RUN shows a run of a server.',
    });
  }
  const interrupt = new Interrupt();
  try {
    const { run } = await runOfFile(file);
    const { serveResults } = await import('@agentclash/local-run');
    const served = await serveResults(file, environment.webFolder).catch((cause: unknown) => {
      if (!(cause instanceof TypeError)) throw cause;
      throw new CommandError('unavailable', 'The web app is not part of this installation', { cause });
    });
    out.result({ url: served.url, run_id: run.id }, () => served.url);
    const isShown = !print && session.canPrompt && environment.hasDisplay && (await openBrowser(served.url));
    const how = isShown ? 'Opened in the browser.' : 'Open the link in a browser of this machine.';
    out.note(out.paint.dim(oneLine(`${how} Ctrl-C ends it.`)));
    await ended(interrupt.signal);
    await served.close();
  } finally {
    interrupt.release();
  }
}

async function ended(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  // The open server keeps the process running.
  await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
