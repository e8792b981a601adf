import { wordScore } from './word-score.ts';

/** More words decide nothing else. */
const maxWords = 10_000;
/** Longer sequences of letters are not words of a language. */
const maxWordLength = 40;

/** A word that is UTF-8 looks like no word in another encoding; fewer than one in so many are a mistake in the list. */
const maxWordsPerUtf8 = 10;

const allBytes = Uint8Array.from({ length: 256 }, (_, byte) => byte);
const western = new TextDecoder('windows-1252').decode(allBytes);
const mac = new TextDecoder('macintosh').decode(allBytes);
const byteOf = new Map([...western].map((character, byte) => [character, byte]));
const notAscii = /[^\0-\x7f]/g;
const wordEnd = /[A-Za-z\x80-\uffff]*$/;
/** Kana, ideographs or their punctuation after another of them. */
const japaneseCharacter = '[\\u3001-\\u30ff\\u3400-\\u9fff\\uff01-\\uff5e]';
const japanesePair = new RegExp(`(?<=${japaneseCharacter})${japaneseCharacter}`, 'g');

/**
 * Decides between encodings whose bytes are all valid, by the words of a text that are not ASCII: in the right encoding
 * they consist of letters, with upper case at the beginning only.
 */
export class WordEvidence {
  #words = 0;
  #western = 0;
  #mac = 0;
  #utf8 = 0;
  /** The number of Japanese characters after another one. */
  #japanese = 0;
  #lastCharacter = '';
  /** A word that may continue in the next part. */
  #rest = '';

  /** @param part of the text, read as Windows-1252 */
  add(part: string): void {
    if (this.#words >= maxWords) return;
    const text = this.#rest + part;
    this.#rest = wordEnd.exec(text.slice(-maxWordLength))![0];
    this.#addWords(text.slice(0, text.length - this.#rest.length));
  }

  /** @param part of the text, read as Shift_JIS */
  addJapanese(part: string): void {
    if (part === '' || this.#japanese > maxWords) return;
    this.#japanese += (this.#lastCharacter + part).match(japanesePair)?.length ?? 0;
    this.#lastCharacter = part.at(-1)!;
  }

  /** @param canBeJapanese whether the whole text is valid Shift_JIS */
  choose(canBeJapanese: boolean): 'windows-1252' | 'macintosh' | 'shift_jis' | 'mixed' {
    this.#addWords(this.#rest);
    this.#rest = '';
    if (this.#utf8 * maxWordsPerUtf8 > this.#words) return 'mixed';
    if (canBeJapanese && this.#japanese > this.#western + this.#mac) return 'shift_jis';
    return this.#mac > this.#western ? 'macintosh' : 'windows-1252';
  }

  #addWords(text: string): void {
    let end = 0;
    for (const { index } of text.matchAll(notAscii)) {
      if (index < end) continue;
      if (this.#words >= maxWords) return;
      const start = Math.max(end, index - maxWordLength);
      const before = wordEnd.exec(text.slice(start, index))![0].length;
      end = index;
      while (end < text.length && isInWord(text, end)) end += 1;
      if (before + end - index <= maxWordLength) this.#addWord(text.slice(index - before, end));
    }
  }

  #addWord(word: string): void {
    if (!/[A-Za-z]/.test(word)) return;
    const bytes = Uint8Array.from(word, (character) => byteOf.get(character)!);
    this.#words += 1;
    this.#western += wordScore(word);
    this.#mac += wordScore(String.fromCharCode(...bytes).replaceAll(/./gs, (one) => mac[one.charCodeAt(0)]!));
    if (isUtf8(bytes)) this.#utf8 += 1;
  }
}

function isInWord(text: string, at: number): boolean {
  return /[A-Za-z\x80-\uffff]/.test(text[at]!);
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}
