import type { ReplaceEmailTexts } from '@gatehouse/contract';
import { maxEmailTextLength, maxGreetingLength } from '@gatehouse/contract/limits';
import { directionControls, directionControlsMessage, lengthOf } from '@gatehouse/contract/names';
import { invalidRequest } from '../../base/api-error.ts';

/** The texts of a site in one language, as they are stored. */
export interface StoredEmailTexts {
  readonly language: string;
  readonly greeting: string | null;
  readonly closing: string | null;
  readonly welcome: string | null;
}

const maxLines = 10;

/** The texts as they are stored. @throws {ApiError} `invalid_request` */
export function checkEmailTexts(language: string, submitted: ReplaceEmailTexts): StoredEmailTexts {
  return {
    language,
    greeting: checkText('greeting', submitted.greeting, maxGreetingLength, 1),
    closing: checkText('closing', submitted.closing, maxEmailTextLength, maxLines),
    welcome: checkText('welcome', submitted.welcome, maxEmailTextLength, maxLines),
  };
}

/** The texts in a line; null if there are none. */
export function describeEmailTexts({
  language,
  greeting,
  closing,
  welcome,
}: StoredEmailTexts): string | null {
  const set = Object.entries({ greeting, welcome, closing }).filter(([, text]) => text !== null);
  return set.length === 0 ? null : [language, ...set.map(([name, text]) => `${name}: ${text}`)].join(', ');
}

function checkText(
  name: keyof ReplaceEmailTexts,
  submitted: string | null,
  maxLength: number,
  lines: number,
): string | null {
  if (submitted === null) return null;
  const text = tidy(submitted);
  const problem = textProblem(text, maxLength, lines);
  if (problem !== undefined) throw invalidRequest(`/${name}`, `${name}: ${problem}`);
  return text;
}

/** Without spaces at the ends of lines: a line of two hyphens and a space would begin a signature (RFC 3676, section 4.3). */
function tidy(text: string): string {
  return text
    .normalize('NFC')
    .replaceAll('\r\n', '\n')
    .replace(/[^\S\n]+$/gmu, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

function textProblem(text: string, maxLength: number, lines: number): string | undefined {
  if (text === '' || lengthOf(text) > maxLength) return `Use 1 to ${maxLength} characters.`;
  if (directionControls.test(text)) return directionControlsMessage;
  if (controls.test(text) || !text.isWellFormed()) return 'Remove the control characters.';
  if (text.split('\n').length > lines)
    return lines === 1 ? 'Use a single line.' : `Use at most ${lines} lines.`;
  const seen = asSeen(text);
  const found = addresses.map((pattern) => pattern.exec(seen)?.[0]).find((each) => each !== undefined);
  if (found === undefined) return undefined;
  return `Remove "${found}": texts have no URLs or email addresses. After a period, write a space before the next word.`;
}

/** Control characters other than line breaks. */
const controls = /[^\P{Cc}\n]|[\u2028\u2029]/u;

/** The text as it is displayed: without invisible characters, and normalized to NFKC, which replaces full-width characters. */
function asSeen(text: string): string {
  return text.replace(/[\p{Default_Ignorable_Code_Point}\p{Cf}\u2800]/gu, '').normalize('NFKC');
}

/**
 * What email programs turn into links, and what people would enter as a URL or an email address. A name with a dot is one
 * if at least two letters follow the dot: `example.org`, but not `e.V.` or `31.12.2026`.
 */
const addresses: readonly RegExp[] = [
  /https?/i,
  /www\./i,
  /mailto:/i,
  /%40|%2e/i,
  /\S{0,20}:\/\/\S{0,20}/u,
  /\S{0,20}@\S{0,20}/u,
  /\\\\\S{0,20}/u,
  /[^\s.]{1,20}\.\p{L}[\p{L}\p{M}\d-]{1,20}/u,
  // In a domain name, browsers treat the ideographic full stop as a dot. In other scripts it does not end a sentence.
  /[\p{sc=Latn}\p{sc=Cyrl}\p{sc=Grek}\p{sc=Hang}\p{sc=Hebr}\p{sc=Arab}\d-]{1,20}。[\p{sc=Latn}\p{sc=Cyrl}\p{sc=Grek}\p{sc=Hang}\p{sc=Hebr}\p{sc=Arab}]{1,20}/u,
  /\d{1,3}[.。]\d{1,3}[.。]\d{1,3}[.。]\d{1,3}/,
];
