import { readFileSync } from 'node:fs';
import { installation } from './installation.ts';

/** How a package of the operating system has installed Gatehouse. */
export interface InstalledPackage {
  /** The path of the command, which people find by its name. */
  readonly command: string;
  /** The user of the service, which every command of root becomes. */
  readonly user: string;
  /** The data of the service, which is the working directory of every command. */
  readonly folder: string;
  /** The settings of the service, in the syntax of environment files of systemd. */
  readonly settingsFile: string;
}

/** Undefined in a clone and in the other forms of a release: there a command is run by its user, in the current folder. */
export const installedPackage: InstalledPackage | undefined = readNote();

/** The image says so in the variable that containers have for it. */
const isImage = process.env.container === 'oci';

/** Only the package contains this file. */
function readNote(): InstalledPackage | undefined {
  try {
    return JSON.parse(readFileSync(new URL('installed-package.json', installation), 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** A text of the command line with the name under which it was installed. In a package, systemd starts the service. */
export function withInstalledName(text: string): string {
  if (installedPackage === undefined) return isImage ? text.replaceAll('./gatehouse', 'gatehouse') : text;
  return text
    .replaceAll('with ./gatehouse serve', 'with systemctl start gatehouse')
    .replaceAll('./gatehouse', 'gatehouse');
}
