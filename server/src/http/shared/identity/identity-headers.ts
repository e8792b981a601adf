import type { HeaderEncoding, IdentityHeaders, Site } from '@gatehouse/contract';
import type { Visitor } from '../../../domain/access-rules/visitor.ts';
import type { EnteredPageCode } from '../../../domain/page-codes/page-code.ts';
import type { IdentityTokens } from './identity-tokens.ts';

/** A label has at most 100 characters of up to 12 bytes each. There are no other identity headers then. */
export const pageCodeHeader = 'remote-page-code';

/** The maximum length of the values. Proxies accept about 4 KiB of headers from the gate in total. */
interface Lengths {
  /** A name can have 200 characters of up to 12 bytes each. */
  readonly name: number;
  readonly groups: number;
}

const lengths: Lengths = { name: 1_000, groups: 2_000 };
/** An identity token repeats the values, and needs the other half. */
const lengthsBesideToken: Lengths = { name: 500, groups: 1_000 };

/**
 * The headers that tell a program who the visitor is; none for a visitor who is not logged in. Values are strings of
 * bytes (`latin1`), as Node writes headers.
 * @param tokens signs the header with the identity token, if the site has one
 * @throws {StoreUnavailable}
 */
export async function identityHeaders(
  site: Site,
  visitor: Visitor | undefined,
  tokens: IdentityTokens,
): Promise<Record<string, string>> {
  if (visitor?.status !== 'active') return {};
  const names = site.identityHeaders;
  if (names.signed === null) return plainHeaders(names, visitor, lengths);
  const headers = plainHeaders(names, visitor, lengthsBesideToken);
  const token = await tokens.tokenFor(site, visitor);
  if (token !== undefined) headers[names.signed] = token;
  return headers;
}

/** The header with the label of the page code on which access depends, percent-encoded; none without a code. */
export function pageCodeHeaders(pageCode: EnteredPageCode | undefined): Record<string, string> {
  return pageCode ? { [pageCodeHeader]: encodeURIComponent(pageCode.label.toWellFormed()) } : {};
}

function plainHeaders(
  { encoding, user, email, name, groups }: IdentityHeaders,
  visitor: Visitor,
  max: Lengths,
): Record<string, string> {
  const headers: Record<string, string> = {};
  if (user !== null) headers[user] = visitor.memberId;
  if (email !== null) headers[email] = visitor.email;
  if (name !== null) headers[name] = nameValue(visitor.displayName ?? '', encoding, max.name);
  if (groups !== null) headers[groups] = groupsValue(visitor.groupNames, encoding, max.groups);
  return headers;
}

function nameValue(name: string, encoding: HeaderEncoding, maxLength: number): string {
  const encode = encoding === 'percent' ? encodeURIComponent : toBytes;
  const text = encoding === 'percent' ? name.toWellFormed() : toOneLine(name);
  const whole = encode(text);
  if (whole.length <= maxLength) return whole;
  let value = '';
  for (const character of text) {
    const next = value + encode(character);
    if (next.length > maxLength) break;
    value = next;
  }
  return value.trimEnd();
}

/** Only whole names: a part of a name could be the name of another group. */
function groupsValue(names: readonly string[], encoding: HeaderEncoding, maxLength: number): string {
  const encode = encoding === 'percent' ? toPercent : encodeListItem;
  let value = '';
  for (const name of names) {
    const next = value === '' ? encode(name) : `${value},${encode(name)}`;
    if (next.length > maxLength) break;
    value = next;
  }
  return value;
}

/** In ASCII without commas, spaces and control characters. */
function toPercent(name: string): string {
  return encodeURIComponent(name.toWellFormed());
}

/** A name in a list that commas separate. */
function encodeListItem(name: string): string {
  return toBytes(toOneLine(name).replaceAll('%', '%25').replaceAll(',', '%2C'));
}

/** Names have no control characters; nothing but this function must be needed to see that no header contains one. */
function toOneLine(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\u2028\u2029]/gu, ' ')
    .trim();
}

/** UTF-8, one character for each byte, because Node writes the characters of a header as bytes. */
function toBytes(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}
