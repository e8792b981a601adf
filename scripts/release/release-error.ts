import { spawnSync } from 'node:child_process';

/** A release that cannot be made. The message says what happened and what to do. */
export class ReleaseError extends Error {}

/** A part of the release needs a program that this machine lacks. */
export class MissingProgram extends ReleaseError {}

/** @throws {MissingProgram} naming the package of Debian that contains the program */
export function requireProgram(name: string, debianPackage: string): void {
  if (spawnSync(name, ['--version'], { stdio: 'ignore' }).error === undefined) return;
  throw new MissingProgram(
    `${name} is missing. On Debian, install it with: apt-get install ${debianPackage}`,
  );
}
