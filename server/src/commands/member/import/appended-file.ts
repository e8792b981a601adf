import {
  closeSync,
  existsSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { CommandFailure, WrongUsage } from '../../../app/failure.ts';
import { realPathOfInput } from '../../installed/named-files.ts';

/** A file that an import writes beside the list. */
export interface Target {
  readonly path: string;
  /** The option that names it. */
  readonly option: string;
  /** What the first line of an earlier file of the same kind contains. */
  readonly mark: string;
  readonly kind: string;
}

/** A file that grows while an import runs, and can be continued by a later run. Only its owner can read it. */
export class AppendedFile {
  readonly #path: string;
  readonly #file: number;
  #bytes: number;

  /**
   * @param bytes the length that an earlier run has written, or 0
   * @throws {WrongUsage | CommandFailure} if the file would overwrite something else
   */
  constructor(target: Target, listPath: string, bytes: number) {
    requireOwnFile(target, listPath);
    this.#path = target.path;
    this.#file = openSync(target.path, bytes > 0 ? 'r+' : 'w', 0o600);
    ftruncateSync(this.#file, bytes);
    this.#bytes = bytes;
  }

  /** Whether a file has at least the length that an earlier run wrote. */
  static has(path: string, bytes: number): boolean {
    if (!existsSync(path)) return bytes === 0;
    const file = openSync(path, 'r');
    const { size } = fstatSync(file);
    closeSync(file);
    return size >= bytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  append(text: string): void {
    this.#bytes += writeSync(this.#file, text, this.#bytes);
  }

  close(): void {
    closeSync(this.#file);
  }

  remove(): void {
    rmSync(this.#path, { force: true });
  }
}

function requireOwnFile({ path, option, mark, kind }: Target, listPath: string): void {
  if (!existsSync(path)) return;
  if (realpathSync(path) === realPathOfInput(listPath)) {
    throw new WrongUsage(`The file of ${option} is the imported file. Choose another file.`);
  }
  const content = readFileSync(path, 'utf8');
  if (content !== '' && !content.split(/\r?\n/, 1)[0]!.includes(mark)) {
    throw new CommandFailure(
      'file_exists',
      `${path} exists and is not a file of ${kind}. Choose another file for ${option}.`,
    );
  }
}
