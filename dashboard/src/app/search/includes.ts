/** Whether a text includes what was typed, in any case. */
export function includes(text: string, typed: string): boolean {
  return text.toLocaleLowerCase().includes(typed.trim().toLocaleLowerCase());
}

/** Whether a text includes what was typed, or has words that begin with each typed word. Accents do not count. */
export function matches(text: string, typed: string): boolean {
  const folded = fold(text);
  const wanted = fold(typed.trim());
  if (folded.includes(wanted)) return true;
  const words = folded.split(separators);
  const begins = wanted.split(separators).filter((begin) => begin !== '');
  return begins.length > 0 && begins.every((begin) => words.some((word) => word.startsWith(begin)));
}

const separators = /[^\p{L}\p{M}\p{N}]+/u;

function fold(text: string): string {
  return text
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .replaceAll('’', "'")
    .toLocaleLowerCase();
}
