import { withInstalledName } from '../../base/installed-package.ts';
import { printable } from '../../base/text/printable.ts';

/** Prints a result: as one JSON value for programs, as text for people. */
export function print(json: boolean | undefined, value: unknown, text: string): void {
  process.stdout.write(`${json ? JSON.stringify(value) : withInstalledName(text)}\n`);
}

/** Rows under headings, in aligned columns. */
export function table(
  headings: readonly string[],
  rows: readonly (readonly (string | number | null)[])[],
): string {
  const lines = [headings, ...rows].map((row) => row.map((cell) => printable(String(cell ?? '-'))));
  const widths = headings.map((_, column) => Math.max(...lines.map((line) => line[column]!.length)));
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

const maxListedTexts = 30;
const maxListedLength = 80;

/** Texts from elsewhere as a list of a bounded length. */
export function listed(texts: readonly string[], quote = ''): string {
  const shown = texts.slice(0, maxListedTexts).map((text) => {
    const isLong = text.length > maxListedLength;
    return `${quote}${isLong ? `${text.slice(0, maxListedLength).toWellFormed()}…` : text}${quote}`;
  });
  const more = texts.length - shown.length;
  return `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** `keep or delete`, `custom, scope or all`. */
export function alternatives(texts: readonly string[]): string {
  if (texts.length < 2) return texts.join('');
  return `${texts.slice(0, -1).join(', ')} or ${texts.at(-1)}`;
}

/** `1 member`, `2 members`. */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? noun : plural}`;
}

/** A text as an argument of a command that can be copied into a shell. */
export function argument(text: string): string {
  const isPlain = /^[\w@%+=:,./][\w@%+=:,./-]*$/.test(text);
  return isPlain ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
