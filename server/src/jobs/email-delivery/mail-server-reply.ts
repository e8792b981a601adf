import { maxMailServerReplyLength } from '@gatehouse/contract/limits';
import type { EmailContent } from '../../domain/emails/email.ts';

/** What is read of a reply, which may be long. */
const maxReadLength = 4_000;
const hidden = '[…]';

const url = /\b(?:[a-z][a-z0-9+.-]{0,20}:\/\/|mailto:|www\.)\S*/giu;
/** A part of an encoded header such as the subject, which ends with the code (RFC 2047, section 2). */
const encodedWord = /=\?[\w*-]+\?[bq]\?\S*/giu;
/** A run that could be a part of a token, or of an email that the mail server repeats. */
const run = /[\w+/=-]{16,}/g;
const maxRunOfWords = 24;
const token = /[\w-]{43}/g;
const code = /(?<!\d)\d{6}(?!\d)/g;

/**
 * What operators are shown of the words of a mail server about an email: one line of plain text without addresses of
 * pages and without what could be a token. Mail servers repeat what they reject. Null if there are no words, or if they
 * contain a token of the email or a password.
 * @param passwords of the mail server, in all forms that it may have received
 */
export function shownReply(
  response: string | undefined,
  { subject, text, html }: EmailContent,
  passwords: readonly string[],
): string | null {
  if (response === undefined) return null;
  const line = oneLine(response.slice(0, maxReadLength));
  const content = [subject, text, html].join('\n');
  const whole = line.replaceAll(/[\s=]/g, '');
  const isSecret = [...passwords, ...(content.match(token) ?? [])].some(
    (secret) => line.includes(secret) || whole.includes(secret),
  );
  if (isSecret) return null;
  const shown = withoutCodes(line, content.match(code) ?? [])
    .replaceAll(url, hidden)
    .replaceAll(encodedWord, hidden)
    .replaceAll(run, (found) => (isOfWords(found) ? found : hidden));
  return shortened(shown) || null;
}

/** The password in the URL of a mail server, as text and as it is sent (RFC 4954, RFC 4616). */
export function passwordsIn(smtpUrl: string): string[] {
  const { username, password } = new URL(smtpUrl);
  if (password === '') return [];
  const [user, plain] = [decoded(username), decoded(password)];
  const sent = [plain, `\0${user}\0${plain}`].map((each) => Buffer.from(each).toString('base64'));
  // Base64 without its padding, which the comparison ignores.
  return [password, plain, ...sent.map((each) => each.replaceAll('=', ''))];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Joins the lines of a reply, each of which begins with its code (RFC 5321, section 4.2.1). */
function oneLine(response: string): string {
  const [first = '', ...others] = response.toWellFormed().split(/\r?\n/);
  const rest = others.map((line) => line.replace(/^(?:\d{3}[ -])?(?:\d\.\d{1,3}\.\d{1,3} )?/, ''));
  return [first.replace(/^(\d{3})-/, '$1 '), ...rest]
    .join(' ')
    .replaceAll(/[\p{C}\s]+/gu, ' ')
    .trim();
}

function withoutCodes(line: string, codes: readonly string[]): string {
  return codes.reduce((left, each) => {
    const digits = [...each].join('[\\s.-]?');
    return left.replaceAll(new RegExp(digits, 'g'), hidden);
  }, line);
}

function isOfWords(found: string): boolean {
  return found.length < maxRunOfWords && !/\d|[a-z][A-Z]/.test(found);
}

function shortened(text: string): string {
  const characters = [...text];
  if (characters.length <= maxMailServerReplyLength) return text;
  return `${characters.slice(0, maxMailServerReplyLength - 1).join('')}…`;
}
