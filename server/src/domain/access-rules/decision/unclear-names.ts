import { signsIn } from '@gatehouse/contract/rule-paths';
import { decodeName } from './request-path.ts';

/** Nothing that programs need is encoded more often. */
const maxDecodings = 5;

/** Dots and drives need one of these; most names have none. */
const notable = /[%.:|]/;
/** Nothing in it becomes another character when it is decoded again. */
const final = /^[\x20-\x24\x26-\x7e]*$/;
const asciiOnly = /^[\x20-\x7e]+$/;
const beyondAscii = /[^\0-\x7f]/gu;
/** Some file systems write signs as private characters. No one knows what others will become. */
const withoutMeaning = /[\p{Co}\p{Cn}\p{Cs}]/u;
const letter = /(?!\p{Default_Ignorable_Code_Point})[\p{L}\p{N}]/u;
/** What programs remove from a name before they continue. At control characters, others cut it off. */
const removable = /[\p{C}\p{M}\p{Default_Ignorable_Code_Point}]/gu;
const removableButControls = /(?!\p{Cc})[\p{C}\p{M}\p{Default_Ignorable_Code_Point}]/gu;
/** Also those of IIS. */
const furtherEscape = /%u([0-9a-f]{4})|((?:%[0-9a-f]{2})+)/gi;
/** An escape in which programs may read characters beyond ASCII as digits. */
const likeEscape = /%u[0-9a-f\P{ASCII}]{4}|(?:%[0-9a-f\P{ASCII}]{2})+/giu;

/**
 * Two dots or more, with nothing but signs around and between them: programs remove signs, cut a name off at one, and read
 * some as a slash. A dot after a letter, as in `v1...v2`, is a part of a name.
 */
const dots = /(?:^|[^\w.-])\.[^\w.-]*\.+(?![\w.-])/;
/** The root of a drive of Windows. */
const drive = /(?:^|[/\\])[^\w/\\-]*[a-z][:|]/i;
/** A name of which some server leaves nothing, so that two slashes come before the next one. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: names may end at these characters
const vanishing = /^[^\w-]*?(?:[/\\;?#\0-\x1f]|$)/;

/** Whether some server may read what is written between two slashes of a path as leading out of its folder. */
export function mayLeadOut(written: string): boolean {
  return notable.test(written) && isRead(written, ' ', (form) => dots.test(form) || drive.test(form));
}

/** Whether some server may read the path behind a name as that of another host: `//forum.example.net/`. */
export function mayVanish(written: string): boolean {
  return isRead(written, 'x', (form) => vanishing.test(form));
}

/**
 * Whether some program may read a name in such a form, or in any one.
 * @param instead for letters and digits beyond ASCII
 */
function isRead(written: string, instead: string, isSuch: (form: string) => boolean): boolean {
  return [removable, removableButControls].some((removed) =>
    [decodeInPlace, decodeAsPlain].some((decode) => {
      const forms = decodedForms(written, (text) => decode(text.replace(removed, '')));
      return forms === undefined || forms.some((form) => isSuch(toAscii(form, instead)));
    }),
  );
}

/**
 * A name as it is written, and after each decoding until the last one changes nothing. Undefined if that takes too many, or
 * if the name has bytes that are not the shortest UTF-8, or characters without a meaning: programs may read any other one.
 */
function decodedForms(
  written: string,
  decodeFurther: (text: string) => string | undefined,
): string[] | undefined {
  const forms = [written];
  let next = decodeName(written);
  while (next !== undefined && !withoutMeaning.test(next)) {
    if (next === forms.at(-1)) return forms;
    if (final.test(next)) return [...forms, next];
    if (forms.length > maxDecodings) return undefined;
    forms.push(next);
    next = decodeFurther(next);
  }
  return undefined;
}

/** Decodes escapes, also of characters that only look so, as a program that then removes characters beyond ASCII. */
function decodeInPlace(text: string): string | undefined {
  const signs = text.replace(beyondAscii, (character) => signsIn(character) || character);
  return decodeEscapes(signs, likeEscape);
}

/** Decodes escapes, as a program that first converts a name to ASCII. */
function decodeAsPlain(text: string): string | undefined {
  return decodeEscapes(text.replace(beyondAscii, toPlain), furtherEscape);
}

/** Undefined if escapes stand for bytes that are not the shortest UTF-8. */
function decodeEscapes(text: string, form: RegExp): string | undefined {
  let isValid = true;
  const decoded = text.replace(form, (escapes) =>
    escapes
      .replace(beyondAscii, toPlain)
      .replace(furtherEscape, (_, unit: string | undefined, bytes: string) => {
        if (unit !== undefined) return String.fromCharCode(Number.parseInt(unit, 16));
        const characters = decodeName(bytes);
        isValid &&= characters !== undefined;
        return characters ?? '';
      }),
  );
  return isValid ? decoded : undefined;
}

/** The ASCII characters that programs read in another one: `２` or `é` may be a part of an escape, and `ｃ：` a drive. */
function toPlain(character: string): string {
  const signs = signsIn(character);
  if (signs !== '') return signs;
  const plain = character.normalize('NFKD').replace(removable, '');
  return asciiOnly.test(plain) ? plain : character;
}

/**
 * A text with the signs that programs read in other characters, and blanks for what they remove or cut a name off at.
 * @param instead for letters and digits beyond ASCII
 */
function toAscii(text: string, instead: string): string {
  return text.replace(
    beyondAscii,
    (character) => signsIn(character) || (letter.test(character) ? instead : ' '),
  );
}
