/** A part of Gatehouse that Vite builds. */
export interface Build {
  readonly name: string;
  /** Relative to the repository, as `sources`. */
  readonly folder: string;
  readonly sources: readonly string[];
}

export const service: Build;
export const dashboard: Build;

/** @param root the folder of the repository */
export function isBuilt(root: string, build: Build): boolean;
