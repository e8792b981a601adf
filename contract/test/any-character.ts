import fc from 'fast-check';

const firstSurrogate = 0xd800;
const surrogates = 0x800;
const lastCodePoint = 0x10ffff;

/**
 * Any code point but surrogates, as a text: the characters of `fc.string({ unit: 'binary' })`, for which fast-check would make
 * a table of a million texts in every process.
 */
export const anyCharacter = fc.nat({ max: lastCodePoint - surrogates }).map(characterOf, numberOf);

function characterOf(number: number): string {
  return String.fromCodePoint(number < firstSurrogate ? number : number + surrogates);
}

/** With it fast-check also tries texts such as `__proto__`. */
function numberOf(text: unknown): number {
  const codePoint = typeof text === 'string' ? text.codePointAt(0) : undefined;
  if (codePoint === undefined || String.fromCodePoint(codePoint) !== text || !text.isWellFormed())
    throw new Error('Not a character');
  return codePoint < firstSurrogate ? codePoint : codePoint - surrogates;
}
