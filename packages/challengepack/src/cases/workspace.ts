/** The payload member that holds files for the workspace: a list of `{path, content}`. */
export const WORKSPACE_FILES = 'workspace_files';
/** The kind of input whose value holds such files. */
export const WORKSPACE_INPUT = 'workspace';
