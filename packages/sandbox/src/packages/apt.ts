import { execFile } from 'node:child_process';
import { mkdir, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { packageToolEnvironment } from '../host/config.js';
import { SandboxError } from '../sandbox-error.js';
import {
  INSTALL_POLICY,
  lastingErrorIn,
  packagesUnsupported,
  REGISTER_TEMPLATE,
  rejectInvalidNames,
} from './apt-errors.js';

const run = promisify(execFile);

const FRESH_MS = 24 * 60 * 60_000;
const STEP_TIMEOUT_MS = 15 * 60_000;
const OUTPUT_BYTES_MAX = 16 << 20;
const GIB = 1024 ** 3;
/** Of one set of packages; more belongs into an image that an operator has made. */
const DOWNLOAD_BYTES_MAX = GIB;

interface PackageFile {
  /** Where it is when it has been downloaded. */
  path: string;
  bytes: number;
}

/**
 * Finds and downloads what an image lacks, with the sources and signatures that the image trusts, and lists of its own:
 * nothing of the system's is changed, so that no root is needed.
 */
export class Apt {
  constructor(
    /** Of the image. */
    private readonly root: string,
    /** For lists; kept. */
    private readonly directory: string,
    private readonly signal: AbortSignal,
  ) {}

  /** Downloads these packages and all that they need into a new directory; the paths of the files. Throws SandboxError. */
  async download(names: readonly string[], archives: string): Promise<string[]> {
    rejectInvalidNames(names);
    await mkdir(path.join(archives, 'partial'), { recursive: true });
    const failure = await this.#refreshLists();
    const files = await this.#plan(names, archives).catch((error: unknown) => {
      // Where lists are missing, that a package is unknown proves nothing.
      throw failure === undefined ? error : unavailable('the lists of packages cannot be had', failure);
    });
    const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
    if (bytes > DOWNLOAD_BYTES_MAX) {
      throw packagesUnsupported(
        `the packages and what they need are ${(bytes / GIB).toFixed(1)} GiB: too much`,
      );
    }
    await this.#install(['--download-only', ...names], archives);
    return files.map((file) => file.path);
  }

  async #plan(names: readonly string[], archives: string): Promise<PackageFile[]> {
    const planned = await this.#install(['--print-uris', ...names], archives);
    return [...planned.matchAll(/^'([^']+)' (\S+) (\d+) /gm)].map(([, uri = '', name = '', bytes]) => ({
      // Files of this machine are not copied.
      path: uri.startsWith('file:') ? fileURLToPath(uri) : path.join(archives, name),
      bytes: Number(bytes),
    }));
  }

  #install(args: readonly string[], archives: string): Promise<string> {
    return this.#apt([...INSTALL_POLICY, '-o', `Dir::Cache::archives=${archives}`, 'install', ...args]);
  }

  /** Once a day. The errors of apt where something could not be had. */
  async #refreshLists(): Promise<string | undefined> {
    const mark = path.join(this.directory, 'updated');
    const updatedAtMs = (await stat(mark).catch(() => undefined))?.mtimeMs ?? 0;
    const ageMs = Date.now() - updatedAtMs;
    if (ageMs >= 0 && ageMs < FRESH_MS) return undefined;
    await mkdir(path.join(this.directory, 'lists/partial'), { recursive: true });
    let output = '';
    try {
      await this.#apt(['update'], (stderr) => {
        output = stderr;
      });
    } catch (error) {
      this.signal.throwIfAborted();
      return error instanceof Error ? `${error.message} ${output}` : output;
    }
    const failures = output
      .split('\n')
      .filter((line) => /^[EW]: .*(Failed to fetch|failed to download)/.test(line));
    if (failures.length > 0) return failures.join('\n');
    await writeFile(mark, '');
    return undefined;
  }

  async #apt(args: readonly string[], onStderr?: (text: string) => void): Promise<string> {
    const aptPaths = {
      'Dir::Etc': path.join(this.root, 'etc/apt'),
      'Dir::State': this.directory,
      'Dir::State::status': path.join(this.root, 'var/lib/dpkg/status'),
      'Dir::Cache': this.directory,
      'Dir::Log': this.directory,
      'Debug::NoLocking': 'true',
    };
    const options = Object.entries(aptPaths).flatMap(([name, value]) => ['-o', `${name}=${value}`]);
    try {
      const { stdout, stderr } = await run('apt-get', ['-q', ...options, ...args], {
        env: packageToolEnvironment(),
        timeout: STEP_TIMEOUT_MS,
        maxBuffer: OUTPUT_BYTES_MAX,
        signal: this.signal,
      });
      onStderr?.(stderr);
      return stdout;
    } catch (error) {
      this.signal.throwIfAborted();
      throw explained(error);
    }
  }
}

function explained(error: unknown): SandboxError {
  const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
  const refused = lastingErrorIn(`${stderr}\n${stdout}`, error);
  return refused ?? unavailable('packages cannot be downloaded', stderr || String(error));
}

function unavailable(message: string, output: string): SandboxError {
  const fix = `let this machine reach the sources in /etc/apt, or ${REGISTER_TEMPLATE}`;
  return new SandboxError('unavailable', message, { cause: new Error(output.trim().slice(0, 2_000)), fix });
}
