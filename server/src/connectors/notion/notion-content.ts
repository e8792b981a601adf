import type { PageObjectResponse } from '@notionhq/client';

/** The value of a property of a page, as the API returns it. */
export type NotionValue = PageObjectResponse['properties'][string];

/** Longer texts are neither addresses nor names, and not read to their end. */
export const maxTextLength = 10_000;

/** Someone in a property of people. */
export interface ListedUser {
  readonly id: string;
  readonly kind: 'person' | 'bot' | 'group';
  readonly name: string | null;
  /** Null if Notion does not show it. */
  readonly email: string | null;
}

/** What a property of a page contains. */
export type Content =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'people'; readonly people: readonly ListedUser[] }
  | { readonly kind: 'choices'; readonly choices: readonly string[] }
  | { readonly kind: 'checkbox'; readonly isChecked: boolean };

/** The content of a value. Of a type that Gatehouse cannot use, it is a text for a preview. */
export function contentOf(value: NotionValue): Content {
  switch (value.type) {
    case 'title':
      return textContent(joinTexts(value.title));
    case 'rich_text':
      return textContent(joinTexts(value.rich_text));
    case 'email':
      return textContent(value.email);
    case 'url':
      return textContent(value.url);
    case 'phone_number':
      return textContent(value.phone_number);
    case 'number':
      return textContent(value.number === null ? null : String(value.number));
    case 'date':
      return textContent(value.date && [value.date.start, value.date.end ?? []].flat().join(' – '));
    case 'checkbox':
      return { kind: 'checkbox', isChecked: value.checkbox };
    case 'select':
      return choicesContent([value.select]);
    case 'status':
      return choicesContent([value.status]);
    case 'multi_select':
      return choicesContent(value.multi_select);
    case 'people':
      return { kind: 'people', people: value.people.map(toListedUser) };
    default:
      return textContent(null);
  }
}

export function joinTexts(items: readonly { readonly plain_text: string }[]): string {
  return items.map(({ plain_text }) => plain_text).join('');
}

type User = Extract<NotionValue, { type: 'people' }>['people'][number];

export function toListedUser(user: User): ListedUser {
  const { id } = user;
  const name = ('name' in user && user.name) || null;
  if (user.object !== 'user') return { id, kind: 'group', name, email: null };
  if ('type' in user && user.type === 'bot') return { id, kind: 'bot', name, email: null };
  const email = 'person' in user ? user.person.email : undefined;
  return { id, kind: 'person', name, email: email ?? null };
}

function textContent(text: string | null): Content {
  return { kind: 'text', text: text ?? '' };
}

function choicesContent(options: readonly ({ readonly name: string } | null)[]): Content {
  return { kind: 'choices', choices: options.flatMap((option) => option?.name ?? []) };
}
