/** The workspace of a run that is being deleted: every reader names a workspace, and none has this id. */
export const NO_WORKSPACE = '00000000-0000-0000-0000-000000000000';
