/** One slice of a workspace's resources, newest first. */
export interface ListQuery {
  workspaceId: string;
  name?: string | undefined;
  /** The last id of the slice before. */
  after?: string | undefined;
  take: number;
}

/** The part of a query that every such list has. */
export function sliceOf({ workspaceId, name, after, take }: ListQuery) {
  return {
    where: {
      workspaceId,
      ...(name !== undefined && { name }),
      ...(after !== undefined && { id: { lt: after } }),
    },
    orderBy: { id: 'desc' as const },
    take,
  };
}
