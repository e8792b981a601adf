import type { CollectionColumns } from '@gatehouse/contract';
import { isUnknownCell } from '@gatehouse/member-lists';
import type { PageObjectResponse } from '@notionhq/client';
import type { WorkspacePerson } from '../../domain/sources/workspaces/workspace.ts';
import { meansPaid } from '../columns.ts';
import type { LongValues } from './long-values.ts';
import { type ColumnRole, columnLost, isUsable } from './notion-columns.ts';
import { type Content, joinTexts, type ListedUser, maxTextLength } from './notion-content.ts';

/** The people on a page: usually one. */
export interface PeopleOnPage {
  readonly people: readonly WorkspacePerson[];
  /** Whether someone is listed whose address Notion does not show. */
  readonly hidesAddress: boolean;
}

/** Someone on a page, with the name that only this person has. */
interface Addressee {
  readonly email: string;
  readonly name?: string | null;
}

/**
 * The people on a page, one for each address. A page without an address is one person with an empty address, so that it
 * is reported.
 * @throws {CollectionUnreadable} `columns_missing`
 * @throws {CollectionGone} if the page is gone
 */
export async function peopleOnPage(
  page: PageObjectResponse,
  columns: CollectionColumns,
  values: LongValues,
): Promise<PeopleOnPage> {
  const contentFor = async (role: ColumnRole) => {
    const key = columns[role];
    if (typeof key !== 'string') return undefined;
    const value = Object.values(page.properties).find(({ id }) => id === key);
    if (!value || !isUsable(role, value.type)) throw columnLost(role);
    return values.contentOf(page, value);
  };
  const email = (await contentFor('email'))!;
  const addressees = addresseesIn(email);
  const name = columns.displayName === columns.email ? email : await contentFor('displayName');
  const lastName = await contentFor('lastName');
  const paid = await contentFor('paid');
  const groups = await contentFor('groups');
  const unknownCell = [name, lastName, paid].flatMap(textsIn).find(isUnknownCell);
  const shared = {
    place: placeOf(page),
    ...(unknownCell !== undefined && {
      unclear: { reason: 'unknown_value' as const, value: unknownCell },
    }),
    ...(paid && { paid: isPaid(paid, columns) }),
    ...(groups?.kind === 'choices' && { groups: groups.choices }),
  };
  // The name of a page with several people is the name of none of them.
  const isNamed = (name !== undefined || lastName !== undefined) && addressees.length === 1;
  return {
    people: addressees.map(({ email: address, name: ownName }) => {
      const nameOfPage = isNamed ? fullName(name, lastName) : undefined;
      const displayName = ownName !== undefined && name === email ? ownName : nameOfPage;
      return { ...shared, email: address, ...(displayName !== undefined && { displayName }) };
    }),
    hidesAddress: email.kind === 'people' && email.people.some(isHidden),
  };
}

/** Where a page is, for people: Notion has no row numbers. */
export function placeOf({ id, properties }: PageObjectResponse): string {
  const title = Object.values(properties).find(({ type }) => type === 'title');
  const text = title?.type === 'title' ? joinTexts(title.title).trim() : '';
  return text === '' ? `page ${id.slice(0, 8)}` : text.slice(0, maxPlaceLength);
}

const maxPlaceLength = 100;

/**
 * The one address in a text, which may have a name around it. The whole text if there is none or several, so that it is
 * reported: of several addresses, no one knows whether all of them are meant.
 */
export function addressIn(text: string): string {
  if (text.length > maxTextLength) return text.trim();
  const addresses = text
    .split(/[\s,;<>()]+/)
    .map((part) => part.replace(/^mailto:/i, ''))
    .filter((part) => part.includes('@'));
  const [address, ...others] = new Set(addresses);
  return address === undefined || others.length > 0 ? text.trim() : address;
}

function addresseesIn(content: Content): readonly Addressee[] {
  if (content.kind === 'text') return [{ email: addressIn(content.text) }];
  if (content.kind !== 'people') return [{ email: '' }];
  const people = content.people.filter(({ kind }) => kind !== 'bot');
  // A group of Notion is reported: the API does not return who is in it.
  return people.length > 0
    ? people.map(({ email, name }) => ({ email: email ?? '', name }))
    : [{ email: '' }];
}

function isHidden({ kind, email }: ListedUser): boolean {
  return kind === 'person' && email === null;
}

function isPaid(content: Content, columns: CollectionColumns): boolean {
  if (content.kind === 'checkbox') return content.isChecked;
  if (content.kind === 'choices') return content.choices.some((choice) => meansPaid(choice, columns));
  return content.kind === 'text' && meansPaid(content.text, columns);
}

function textsIn(content: Content | undefined): readonly string[] {
  if (content?.kind === 'text') return [content.text];
  return content?.kind === 'choices' ? content.choices : [];
}

function fullName(name: Content | undefined, lastName: Content | undefined): string | null {
  const parts = [name && nameIn(name), lastName && nameIn(lastName)].filter(
    (part) => typeof part === 'string',
  );
  return parts.length === 0 ? null : parts.join(' ');
}

function nameIn(content: Content): string | null {
  if (content.kind === 'people') return content.people.find(({ kind }) => kind === 'person')?.name ?? null;
  const text = content.kind === 'text' ? content.text.trim() : '';
  return text === '' ? null : text;
}
