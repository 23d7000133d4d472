import type { ComponentType } from 'react';

/** A screen receives the variable parts of its path as `params`. */
export interface ScreenProps<Name extends string = never> {
  params: Readonly<Record<Name, string>>;
}

/** The path names the parameters; wouter passes them by name. */
export type Screen = ComponentType<{ params: Record<string, string> }>;

export interface ScreenRoute {
  path: string;
  /** Absent until its code is loaded. */
  Screen?: Screen;
  /** Loads its code, once. */
  load: () => Promise<Screen>;
}
