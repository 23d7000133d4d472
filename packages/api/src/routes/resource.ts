import type { Role } from '@agentclash/domain';
import type { z } from 'zod';
import { route } from './route.js';

interface Declaration<
  Path extends string,
  Id extends string,
  Spec extends z.ZodType,
  Resource extends z.ZodType,
  Changed extends z.ZodType,
  Query extends z.ZodObject,
  List extends z.ZodType,
> {
  /** Below the workspace. */
  path: Path;
  /** The name of the id in paths. */
  id: Id;
  /** The role for writing; every viewer may read. */
  writer: Role;
  spec: Spec;
  resource: Resource;
  /** The response to an update: the resource, and whether it changed. */
  changed: Changed;
  query: Query;
  list: List;
  /** True when other resources may refer to it, which prevents its deletion. */
  isReferredTo: boolean;
  /** Summaries for the documentation. */
  summaries: Record<'create' | 'list' | 'get' | 'update' | 'remove', string>;
}

/** The five operations of a resource that is created from a spec, replaced as a whole and deleted. */
export function resourceRoutes<
  const Path extends string,
  const Id extends string,
  Spec extends z.ZodType,
  Resource extends z.ZodType,
  Changed extends z.ZodType,
  Query extends z.ZodObject,
  List extends z.ZodType,
>(declaration: Declaration<Path, Id, Spec, Resource, Changed, Query, List>) {
  const { writer: access, spec: body, resource: response, changed, query, list, summaries } = declaration;
  const path = `/v1/workspaces/{ws}/${declaration.path}` as const;
  const one = `${path}/{${declaration.id}}` as const;
  return {
    create: route({
      method: 'POST',
      path,
      access,
      summary: summaries.create,
      body,
      response,
      status: 201,
      conflicts: 'The name is taken',
      creates: true,
    }),
    list: route({
      method: 'GET',
      path,
      access: 'viewer',
      summary: summaries.list,
      query,
      response: list,
      status: 200,
    }),
    get: route({ method: 'GET', path: one, access: 'viewer', summary: summaries.get, response, status: 200 }),
    update: route({
      method: 'PUT',
      path: one,
      access,
      summary: summaries.update,
      body,
      response: changed,
      status: 200,
      conflicts: 'The name is taken',
    }),
    remove: route({
      method: 'DELETE',
      path: one,
      access,
      summary: summaries.remove,
      response: 'none',
      status: 204,
      ...(declaration.isReferredTo && { conflicts: 'Something refers to it' }),
    }),
  };
}
