import { accessSync, constants, readFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import path from 'node:path';
import type { Command } from 'commander';
import { CommandFailure } from '../../app/failure.ts';
import type { InstalledPackage } from '../../base/installed-package.ts';
import { parseEnvironmentFile } from './environment-file.ts';
import { outputFiles } from './named-files.ts';

/** The commands that work without the settings of the service. */
const withoutSettings: readonly string[] = ['completions', 'secret-key'];

/**
 * Lets a command of the installed package run like the service: with its settings, in its folder, and if root has started
 * it, as its user. Before this, the command line is parsed and the files that it names are opened; nothing is read from a
 * folder that the service's user can write to.
 * @throws {CommandFailure}
 */
export function becomeServiceUser({ user, folder, settingsFile }: InstalledPackage, command: Command): void {
  const mayRead = loadSettings(settingsFile);
  if (process.getuid?.() === 0) dropRoot(user);
  process.umask(0o077);
  const mayEnter = enter(folder);
  const usesOwn = !withoutSettings.includes(command.name()) && !hasKey(command);
  const isOnSqlite = !/^postgres/.test(process.env.GATEHOUSE_DATABASE_URL ?? '');
  if (usesOwn && !(mayRead && (mayEnter || !isOnSqlite))) throw needsSudo(settingsFile);
  for (const file of outputFiles()) requireWritable(path.dirname(file), folder);
}

/** A command with an API key calls a service, which anybody may. */
function hasKey(command: Command): boolean {
  return Boolean(command.opts().key ?? process.env.GATEHOUSE_KEY);
}

/** The environment goes before the file, as it does for every setting. Returns false without the permission to read it. */
function loadSettings(file: string): boolean {
  try {
    for (const [name, value] of parseEnvironmentFile(readFileSync(file, 'utf8'))) process.env[name] ??= value;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EACCES') return false;
    if (code !== 'ENOENT') throw error;
  }
  return true;
}

/** The types of Node lack it. */
type WithGroups = NodeJS.Process & { initgroups(user: string, group: number): void };

/** @throws {CommandFailure} rather than run as root */
function dropRoot(user: string): void {
  try {
    process.setgid!(user);
    (process as WithGroups).initgroups(user, process.getgid!());
    process.setuid!(user);
  } catch (error) {
    throw new CommandFailure(
      'no_service_user',
      `This cannot become the user ${user}: ${(error as Error).message}. Install the package again: apt-get install --reinstall gatehouse`,
    );
  }
  if ([process.getuid!(), process.geteuid!(), process.getgid!(), process.getegid!()].includes(0))
    throw new Error(`This process is still root instead of ${user}.`);
}

function enter(folder: string): boolean {
  try {
    process.chdir(folder);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EACCES') throw error;
    process.chdir('/');
    return false;
  }
}

function needsSudo(settingsFile: string): CommandFailure {
  const { username } = userInfo();
  return new CommandFailure(
    'not_permitted',
    `The user ${username} may not use the database of the service and its settings in ${settingsFile}. Run this with sudo: sudo gatehouse …`,
  );
}

/** @throws {CommandFailure} */
function requireWritable(target: string, folder: string): void {
  try {
    accessSync(target, constants.W_OK | constants.X_OK);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EACCES') return;
    throw new CommandFailure(
      'not_permitted',
      `This runs as the user ${userInfo().username}, which cannot write to ${target}. Choose a file in another folder, such as ${folder}.`,
    );
  }
}
