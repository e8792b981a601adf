import { randomUUID } from 'node:crypto';
import type { Clock } from '../src/base/clock.ts';

// What a workspace of Notion contains, and how its API shows it.

type Json = Record<string, unknown>;

/** What an integration may see of people. */
export type UserInformation = 'none' | 'without_addresses' | 'with_addresses';

export type PropertyType =
  | 'title'
  | 'rich_text'
  | 'email'
  | 'people'
  | 'checkbox'
  | 'select'
  | 'status'
  | 'multi_select'
  | 'number'
  | 'url'
  | 'phone_number'
  | 'relation'
  | 'formula';

/** A text or its pieces, the people of a property, the name of an option or several, a tick, or a number. */
export type NotionValue = string | readonly string[] | readonly NotionUser[] | boolean | number | null;

/** The maximum number of items of a value in a page. */
const maxItemsInPage = 25;

export class NotionUser {
  readonly id = randomUUID();
  readonly kind: 'person' | 'guest' | 'bot' | 'group';
  readonly name: string;
  email: string | null;

  constructor(kind: NotionUser['kind'], name: string, email: string | null) {
    this.kind = kind;
    this.name = name;
    this.email = email;
  }

  shown(information: UserInformation): Json {
    if (this.kind === 'group') return { object: 'group', id: this.id, name: this.name };
    const user = { object: 'user', id: this.id };
    if (information === 'none') return user;
    const common = { ...user, name: this.name, avatar_url: null };
    if (this.kind === 'bot') return { ...common, type: 'bot', bot: {} };
    const email = information === 'with_addresses' ? (this.email ?? undefined) : undefined;
    return { ...common, type: 'person', person: { ...(email !== undefined && { email }) } };
  }
}

export interface NotionProperty {
  /** As in the API, encoded for URLs. */
  readonly id: string;
  name: string;
  type: PropertyType;
  readonly options: Set<string>;
}

export class NotionDatabase {
  readonly id = randomUUID();
  readonly title: string;
  readonly dataSources: NotionDataSource[] = [];

  constructor(title: string) {
    this.title = title;
  }

  shown(): Json {
    return {
      object: 'database',
      id: this.id,
      title: richText([this.title]),
      description: [],
      parent: { type: 'workspace', workspace: true },
      in_trash: false,
      data_sources: this.dataSources.map(({ id, title }) => ({ id, name: title })),
    };
  }
}

export class NotionDataSource {
  readonly id = randomUUID();
  readonly database: NotionDatabase;
  title: string;
  readonly properties: NotionProperty[] = [];
  readonly rows: NotionRow[] = [];
  inTrash = false;
  isShared = true;
  /** Whether queries return rows in the trash too. */
  showsTrash = false;
  readonly #clock: Clock;

  constructor(
    database: NotionDatabase,
    title: string,
    properties: Readonly<Record<string, PropertyType>>,
    clock: Clock,
  ) {
    this.database = database;
    this.title = title;
    this.#clock = clock;
    database.dataSources.push(this);
    for (const [name, type] of Object.entries(properties)) this.addProperty(name, type);
  }

  /** Another data source of the same database. */
  sibling(title: string, properties: Readonly<Record<string, PropertyType>>): NotionDataSource {
    return new NotionDataSource(this.database, title, properties, this.#clock);
  }

  addProperty(name: string, type: PropertyType): NotionProperty {
    const id = type === 'title' ? 'title' : encodeURIComponent(`${this.properties.length}:{|`);
    const property: NotionProperty = { id, name, type, options: new Set() };
    this.properties.push(property);
    return property;
  }

  property(name: string): NotionProperty {
    const found = this.properties.find((each) => each.name === name);
    if (!found) throw new Error(`There is no property "${name}".`);
    return found;
  }

  /** The key of a column: the id of its property. */
  key(name: string): string {
    return this.property(name).id;
  }

  deleteProperty(name: string): void {
    this.properties.splice(this.properties.indexOf(this.property(name)), 1);
  }

  /** @param at when it was created and edited; now if left out */
  addRow(values: Readonly<Record<string, NotionValue>>, at: Date = this.#clock()): NotionRow {
    const row = new NotionRow(this, at, this.#clock);
    row.write(values);
    this.rows.push(row);
    return row;
  }

  /** The rows of a query, the earliest first. */
  get rowsInOrder(): NotionRow[] {
    return this.rows
      .filter(({ inTrash }) => this.showsTrash || !inTrash)
      .sort((one, other) => one.created - other.created);
  }

  shown(): Json {
    const properties = this.properties.map((property) => [property.name, shownProperty(property)]);
    return {
      object: 'data_source',
      id: this.id,
      title: richText(this.title === '' ? [] : [this.title]),
      description: [],
      parent: { type: 'database_id', database_id: this.database.id },
      database_parent: { type: 'workspace', workspace: true },
      is_inline: false,
      in_trash: this.inTrash,
      properties: Object.fromEntries(properties),
    };
  }
}

export class NotionRow {
  readonly id = randomUUID();
  readonly dataSource: NotionDataSource;
  /** In milliseconds. The API shows the minute. */
  readonly created: number;
  edited: number;
  inTrash = false;
  readonly #clock: Clock;
  readonly #values = new Map<string, NotionValue>();

  constructor(dataSource: NotionDataSource, at: Date, clock: Clock) {
    this.dataSource = dataSource;
    this.created = at.getTime();
    this.edited = this.created;
    this.#clock = clock;
  }

  /** Changes values by the names of their properties, as an edit in Notion. */
  edit(values: Readonly<Record<string, NotionValue>>): void {
    this.write(values);
    this.edited = this.#clock().getTime();
  }

  write(values: Readonly<Record<string, NotionValue>>): void {
    for (const [name, value] of Object.entries(values)) {
      const { id, type, options } = this.dataSource.property(name);
      this.#values.set(id, value);
      if (/select|status/.test(type)) for (const option of textsOf(value)) options.add(option);
    }
  }

  /** @param wanted the ids of the properties, decoded; all if undefined */
  shown(information: UserInformation, wanted: ReadonlySet<string> | undefined): Json {
    const properties = this.dataSource.properties
      .filter(({ id, name }) => !wanted || wanted.has(decodeURIComponent(id)) || wanted.has(name))
      .map((property) => [property.name, this.#shownValue(property, information)]);
    return {
      object: 'page',
      id: this.id,
      created_time: toMinute(this.created),
      last_edited_time: toMinute(this.edited),
      in_trash: this.inTrash,
      is_locked: false,
      url: `https://www.notion.so/${this.id.replaceAll('-', '')}`,
      public_url: null,
      parent: {
        type: 'data_source_id',
        data_source_id: this.dataSource.id,
        database_id: this.dataSource.database.id,
      },
      properties: Object.fromEntries(properties),
    };
  }

  /** All items of a property that has several; undefined if it has a single value. */
  items({ id, type }: NotionProperty, information: UserInformation): Json[] | undefined {
    const value = this.#values.get(id) ?? null;
    if (type === 'title' || type === 'rich_text') return richText(textsOf(value));
    if (type === 'people') return usersOf(value).map((user) => user.shown(information));
    return type === 'relation' ? textsOf(value).map((page) => ({ id: page })) : undefined;
  }

  #shownValue(property: NotionProperty, information: UserInformation): Json {
    const { id, type } = property;
    const items = this.items(property, information);
    if (items) return { id, type, [type]: items.slice(0, maxItemsInPage) };
    const value = this.#values.get(id) ?? null;
    return { id, type, [type]: singleValue(type, value) };
  }
}

function singleValue(type: PropertyType, value: NotionValue): unknown {
  switch (type) {
    case 'checkbox':
      return value === true;
    case 'select':
    case 'status':
      return value === null ? null : { id: 'option', name: value, color: 'default' };
    case 'multi_select':
      return textsOf(value).map((name) => ({ id: name, name, color: 'default' }));
    case 'formula':
      return { type: 'string', string: value };
    default:
      return value;
  }
}

function shownProperty({ id, name, type, options }: NotionProperty): Json {
  const hasOptions = /select|status/.test(type);
  const listed = [...options].map((option) => ({ id: option, name: option, color: 'default' }));
  return { id, name, description: null, type, [type]: hasOptions ? { options: listed } : {} };
}

export function richText(pieces: readonly string[]): Json[] {
  return pieces.map((content) => ({
    type: 'text',
    text: { content, link: null },
    annotations: {},
    plain_text: content,
    href: null,
  }));
}

function textsOf(value: NotionValue): string[] {
  if (typeof value === 'string') return [value];
  return Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string') : [];
}

function usersOf(value: NotionValue): NotionUser[] {
  return Array.isArray(value) ? value.filter((each): each is NotionUser => each instanceof NotionUser) : [];
}

export function toMinute(milliseconds: number): string {
  return new Date(Math.floor(milliseconds / 60_000) * 60_000).toISOString();
}
