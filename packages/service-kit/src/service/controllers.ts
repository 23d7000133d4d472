import type { DynamicModule, ModuleMetadata, Type } from '@nestjs/common';
import { MODULE_METADATA } from '@nestjs/common/constants.js';

type Import = NonNullable<ModuleMetadata['imports']>[number];

/** The controllers of a module and of the modules that it imports, each once. */
export function controllersOf(module: DynamicModule | Type): Type[] {
  const found = new Set<Type>();
  const seen = new Set<unknown>();
  collect(module, { found, seen });
  return [...found];
}

function collect(module: Import, { found, seen }: { found: Set<Type>; seen: Set<unknown> }): void {
  if (seen.has(module) || module instanceof Promise) return;
  seen.add(module);
  const dynamic: Partial<DynamicModule> = 'module' in module ? module : {};
  const declared = 'forwardRef' in module ? module.forwardRef() : (dynamic.module ?? module);
  const listOf = <T>(key: string): T[] => Reflect.getMetadata(key, declared) ?? [];
  const controllers = [...listOf<Type>(MODULE_METADATA.CONTROLLERS), ...(dynamic.controllers ?? [])];
  for (const controller of controllers) found.add(controller);
  const imports = [...listOf<Import>(MODULE_METADATA.IMPORTS), ...(dynamic.imports ?? [])];
  for (const each of imports) collect(each, { found, seen });
}
