import { ImportError } from '../framework/import-error.js';
import { type ImportSource, readText } from '../framework/import-source.js';
import type { Losses } from '../framework/loss-report.js';
import { isFile } from './task.js';
import { isTable, parseToml } from './toml.js';

const TASKS_MAX = 2_000;

/** The tasks of a source and the description of its data set. */
export interface FoundTasks {
  /** Folders of tasks; '' is the root. */
  folders: string[];
  name: string;
  description?: string;
}

/** Finds a task directory, or every one in a data set. */
export async function findTasks(source: ImportSource, losses: Losses): Promise<FoundTasks> {
  const named = { name: source.name };
  if (await source.find('task.toml')) return { folders: [''], ...named };
  const entries = await source.list();
  for (const { path } of entries.filter(({ kind }) => kind !== 'file')) {
    losses.dropped(path, path, 'links and special files are not followed');
  }
  const folders = entries
    .filter((entry) => isFile(entry) && entry.path.endsWith('/task.toml'))
    .map(({ path }) => path.slice(0, -'/task.toml'.length));
  const outer = folders.filter((folder) => !folders.some((other) => folder.startsWith(`${other}/`)));
  if (outer.length === 0) {
    throw new ImportError({ file: source.name, message: 'there is no task.toml in the folder or below it' });
  }
  if (outer.length > TASKS_MAX) {
    throw new ImportError({ file: source.name, message: `there are more than ${TASKS_MAX} tasks` });
  }
  const described = { ...named, ...(await readDataSet(source, losses)) };
  if (await source.find('registry.json')) await readRegistry(source, outer, losses);
  return { folders: outer, ...described };
}

async function readDataSet(source: ImportSource, losses: Losses): Promise<Partial<FoundTasks>> {
  const file = 'dataset.toml';
  if (!(await source.find(file))) return {};
  const table = parseToml(await readText(source, file), file);
  const found: Partial<FoundTasks> = {};
  const about = isTable(table.dataset) ? table.dataset : table;
  for (const [key, value] of Object.entries(about)) {
    const isText = typeof value === 'string' && value.trim() !== '';
    if (key === 'name' && isText) found.name = value.split('/').at(-1) ?? value;
    else if (key === 'description' && isText) found.description = value;
    else if (key !== 'tasks') {
      losses.dropped(
        file,
        key,
        'the tasks are those of the folder; nothing else of a data set has a location in a pack',
      );
      continue;
    }
    const location = key === 'tasks' ? 'the tasks are those in the folder' : `pack.${key}`;
    losses.carried(file, key, location);
  }
  return found;
}

/** Harbor's registry lists tasks of repositories: those that are not in the folder are not fetched. */
async function readRegistry(source: ImportSource, folders: readonly string[], losses: Losses): Promise<void> {
  const file = 'registry.json';
  let registry: unknown;
  try {
    registry = JSON.parse(await readText(source, file));
  } catch (error) {
    if (error instanceof ImportError) throw error;
    throw new ImportError({ file, message: `the file is no JSON: ${(error as Error).message}` });
  }
  for (const { name, path } of namesOf(registry)) {
    const given = path.replace(/^\.\/|\/+$/g, '');
    const isHere = folders.some(
      (folder) => `/${folder}`.endsWith(`/${given}`) || `/${given}`.endsWith(`/${folder}`),
    );
    if (isHere) losses.carried(file, name, 'the task in its folder');
    else losses.dropped(file, name, 'its folder is not here: nothing is fetched');
  }
}

/** The tasks in the lists of a registry, such as `[{tasks: [{name, path}]}]`: by path, else by name. */
function namesOf(registry: unknown): { name: string; path: string }[] {
  const sets = Array.isArray(registry) ? registry : [registry];
  return sets.flatMap((set: unknown) => {
    const lists = typeof set === 'object' && set !== null ? Object.values(set).filter(Array.isArray) : [];
    return lists.flat().flatMap((task: unknown) => {
      const { name, path } = (typeof task === 'object' && task !== null ? task : {}) as Record<
        string,
        unknown
      >;
      const hasPath = typeof path === 'string' && path !== '';
      if (typeof name === 'string' && name !== '') return [{ name, path: hasPath ? path : name }];
      return hasPath ? [{ name: path, path }] : [];
    });
  });
}
