import type { CollectionColumns, CollectionPreview } from '@gatehouse/contract';
import { normalizeEmail } from '@gatehouse/contract/email-address';
import { findColumns, parsePaid } from '@gatehouse/member-lists';
import type { DataSourceObjectResponse, PageObjectResponse } from '@notionhq/client';
import { previewText } from '../../domain/sources/workspaces/workspace.ts';
import { columnTypeOf, type NotionColumn, optionsOf } from './notion-columns.ts';
import { type Content, contentOf } from './notion-content.ts';
import { addressIn } from './notion-people.ts';

interface PreviewColumn {
  readonly key: string;
  readonly name: string;
  readonly type: CollectionPreview['columns'][number]['type'];
  readonly options: string[];
  readonly isTitle: boolean;
  readonly contents: readonly Content[];
}

/** The columns of a data source, the title first, with the values of its first pages. */
export function previewOf(
  { properties }: DataSourceObjectResponse,
  pages: readonly PageObjectResponse[],
): CollectionPreview {
  const columns = Object.values(properties)
    .map((property): PreviewColumn => toPreviewColumn(property, pages))
    .sort((one, other) => Number(other.isTitle) - Number(one.isTitle));
  return {
    columns: columns.map(({ key, name, type, options }) => ({ key, name, type, options })),
    rows: pages.map((_, row) => columns.map(({ contents }) => previewText(textOf(contents[row]!)))),
    guess: guessColumns(columns),
    export: null,
    questions: [],
  };
}

function toPreviewColumn(property: NotionColumn, pages: readonly PageObjectResponse[]): PreviewColumn {
  const { id, name, type } = property;
  return {
    key: id,
    name,
    type: columnTypeOf(type),
    options: optionsOf(property),
    isTitle: type === 'title',
    contents: pages.map((page) => {
      const value = Object.values(page.properties).find((each) => each.id === id);
      return value ? contentOf(value) : { kind: 'text', text: '' };
    }),
  };
}

function textOf(content: Content): string {
  switch (content.kind) {
    case 'text':
      return content.text;
    case 'choices':
      return content.choices.join(', ');
    case 'checkbox':
      return content.isChecked ? '✓' : '';
    case 'people':
      return content.people.map(({ email, name }) => email ?? name ?? '').join(', ');
  }
}

/** Which columns to use, as far as their types, names and values leave no doubt. */
function guessColumns(columns: readonly PreviewColumn[]): CollectionColumns | null {
  const email = emailColumn(columns);
  if (!email) return null;
  const title = columns.find(({ isTitle }) => isTitle);
  const others = columns.filter((column) => column !== email);
  const name = title === email ? named('displayName', others, ['text']) : title;
  const paid = named('paid', others, ['checkbox', 'choice']);
  return {
    email: email.key,
    displayName: name?.key ?? null,
    paid:
      paid && (paid.type === 'checkbox' || paid.options.some((each) => parsePaid(each) === true))
        ? paid.key
        : null,
    groups: named('groups', others, ['choices'])?.key ?? null,
  };
}

function emailColumn(columns: readonly PreviewColumn[]): PreviewColumn | undefined {
  const ofType = (type: PreviewColumn['type']) => columns.filter((column) => column.type === type);
  const emails = ofType('email');
  if (emails.length > 0) return named('email', emails, ['email']) ?? emails[0];
  const people = ofType('people').filter(({ contents }) => contents.every(showsAddresses));
  if (people.length === 1) return people[0];
  return ofType('text').find(({ contents }) => areAddresses(contents));
}

/** The one column of these types whose name means the field, in the languages of the dashboard. */
function named(
  field: 'email' | 'displayName' | 'paid' | 'groups',
  columns: readonly PreviewColumn[],
  types: readonly PreviewColumn['type'][],
): PreviewColumn | undefined {
  const candidates = columns.filter(({ type }) => types.includes(type));
  const found = findColumns(candidates.map(({ name }) => name));
  const index = found.columns[field];
  return index === null || found.ambiguous.has(field) ? undefined : candidates[index];
}

function showsAddresses(content: Content): boolean {
  return (
    content.kind !== 'people' ||
    content.people.every(({ kind, email }) => kind !== 'person' || email !== null)
  );
}

function areAddresses(contents: readonly Content[]): boolean {
  const texts = contents.flatMap((content) => (content.kind === 'text' && content.text.trim()) || []);
  return texts.length > 0 && texts.every((text) => normalizeEmail(addressIn(text)) !== null);
}
