/** An accent that stands alone: a compatibility form of a space and a mark. */
const loneAccent = / (?=\p{M})/gu;
const marks = /\p{M}/gu;
const katakana = /[\u30a1-\u30f6]/g;
const smallKana = 'ぁぃぅぇぉっゃゅょゎゕゖ';
const largeKana = 'あいうえおつやゆよわかけ';
const anySmallKana = new RegExp(`[${smallKana}]`, 'g');

/**
 * The letters of a text as a search that knows no case, accents, widths or kinds of kana compares them.
 * @param text in lower case
 */
export function baseLetters(text: string): string {
  const cased = withoutMarks(text).toLowerCase().toUpperCase().toLowerCase();
  return withoutMarks(cased)
    .replaceAll('ς', 'σ')
    .replace(katakana, (letter) => String.fromCharCode(letter.charCodeAt(0) - 0x60))
    .replace(anySmallKana, (letter) => largeKana.charAt(smallKana.indexOf(letter)));
}

function withoutMarks(text: string): string {
  return text.normalize('NFKD').replace(loneAccent, "'").replace(marks, '');
}

/** A text with each letter that a map has replaced. */
export function replaceLetters(text: string, letters: ReadonlyMap<string, string>): string {
  let replaced = '';
  for (const letter of text) replaced += letters.get(letter) ?? letter;
  return replaced;
}
