import { type Static, Type } from 'typebox';
import { maxListPartPeople, maxNameLength } from '../shared/limits.ts';
import { named, Resource } from '../shared/resource.ts';
import {
  dateTime,
  exampleIds,
  flag,
  integer,
  maxRawValueLength,
  noControlCharacters,
  noNull,
  nullable,
  openEnumeration,
  orNull,
  rawText,
  request,
  shape,
  text,
  uuid,
} from '../shared/schemas.ts';
import { CollectionColumns, CollectionQuestion } from './collection-columns.ts';
import { confirmRemovals, dryRun, SourceRun } from './source-runs.ts';

/** What the values of a column are. */
export const columnTypes = ['text', 'email', 'people', 'checkbox', 'choice', 'choices', 'other'] as const;
export type ColumnType = (typeof columnTypes)[number];

export const SourceCollection = shape(
  'SourceCollection',
  'A collection of a workspace that becomes a scope group.',
  {
    key: text('Identifies the collection in the workspace.', 'team'),
    name: text('Its name in the workspace.', 'Team'),
    columns: orNull(CollectionColumns),
    groupId: nullable(uuid('Its scope group; null before the first synchronization.', exampleIds.group)),
    chosen: flag('False once it is no longer chosen, until its group is deleted.', true),
    missingSince: nullable(
      dateTime(
        'Since when the workspace does not have it, or it is no longer chosen; null while it is there.',
      ),
    ),
  },
);
export type SourceCollection = Static<typeof SourceCollection>;

export const AvailableCollections = shape(
  'AvailableCollections',
  'The collections of a workspace that can be chosen.',
  {
    collections: Type.Array(
      Type.Object(
        {
          key: text('Identifies the collection in the workspace.', 'team'),
          name: text('Its name in the workspace.', 'Team'),
          chosen: flag('Whether it becomes a scope group.', true),
        },
        { title: 'AvailableCollection' },
      ),
      { description: 'The collections that the workspace shows to Gatehouse.' },
    ),
    complete: flag('False if there are more, which were not read in time.', true),
  },
);
export type AvailableCollections = Static<typeof AvailableCollections>;

export const CollectionPreview = shape(
  'CollectionPreview',
  'The columns and the first rows of a collection. `guess` says which columns to use, judged by their headings, ' +
    'types and values; it is null if no column has email addresses. `export` is the system whose export a list is, or null.',
  {
    columns: Type.Array(
      Type.Object(
        {
          key: text('Identifies the column, where possible also when it is renamed.', 'Email'),
          name: text('Its heading.', 'Email'),
          type: openEnumeration(
            columnTypes,
            'What its values are. `people`: people of the workspace. `choice` and `choices`: one or several of ' +
              '`options`. `other`: nothing that Gatehouse can use.',
            'email',
          ),
          options: Type.Array(Type.String({ examples: ['Member'] }), {
            description: 'The values that can be chosen in the workspace, if it says so.',
          }),
        },
        { title: 'CollectionColumn' },
      ),
      { description: 'The columns of the collection.' },
    ),
    rows: Type.Array(Type.Array(Type.String({ examples: ['ada@example.com'] })), {
      description:
        'The first ten rows: a text for each column, empty if there is none, shortened to 200 characters and "…".',
    }),
    guess: orNull(CollectionColumns),
    export: orNull(
      shape('CollectionExport', 'The system whose export a list is.', {
        name: text('As in the columns of a collection.', 'ghost'),
        title: text('As people call the system.', 'Ghost'),
      }),
    ),
    questions: Type.Array(CollectionQuestion, {
      description:
        'What is not clear about the list if it is read as guessed. Empty for workspaces that say it.',
    }),
  },
);
export type CollectionPreview = Static<typeof CollectionPreview>;
export type CollectionColumn = CollectionPreview['columns'][number];

export const ListedPerson = request(
  'ListedPerson',
  {
    email: text(
      'The email address. Someone without a valid one is skipped and reported; while there is an invalid one, nobody ' +
        'is removed. A value such as `#REF!` in any field changes nothing for the person.',
      'ada@example.com',
      { maxLength: maxRawValueLength, pattern: noNull },
    ),
    displayName: Type.Optional(
      nullable(
        text(
          'The name; null if there is none. If left out, the member keeps the current name.',
          'Ada Lovelace',
          { maxLength: maxRawValueLength, pattern: noNull },
        ),
      ),
    ),
    paid: Type.Optional(
      flag('Whether the person is paying. If left out, the member keeps the current value.', true),
    ),
    groups: Type.Optional(
      Type.Array(rawText('The name of a group.', 'Rowing'), {
        maxItems: 100,
        description:
          'The groups of the person, each a scope group of the source. If left out, the person is in the group of ' +
          'the collection.',
      }),
    ),
  },
  { description: 'A person in an uploaded list.' },
);
export type ListedPerson = Static<typeof ListedPerson>;

export const UploadCollectionPeople = request('UploadCollectionPeople', {
  list: text(
    'Identifies the list; chosen by the program, and the same for all parts of one list.',
    '2026-01-31T09:30',
    { minLength: 1, maxLength: maxNameLength, pattern: noControlCharacters },
  ),
  part: Type.Optional(
    integer(
      'The number of the part, counted from 0. A part that is sent again replaces the earlier one. Defaults to 0.',
      0,
      { minimum: 0, maximum: 499 },
    ),
  ),
  people: Type.Array(ListedPerson, {
    maxItems: maxListPartPeople,
    description: 'The people of this part.',
  }),
  complete: Type.Optional(
    flag('Whether this is the last part, so that the whole list is applied. Defaults to false.', true),
  ),
  name: Type.Optional(
    rawText('The name of the collection, which its group follows. Defaults to its key.', 'Team'),
  ),
  dryRun,
  confirmRemovals,
});
export type UploadCollectionPeople = Static<typeof UploadCollectionPeople>;

export const UploadedPart = shape(
  'UploadedPart',
  'A stored part of a list; `run` applies the list once it is complete.',
  {
    parts: integer('The parts of the list uploaded so far.', 1, { minimum: 1 }),
    run: orNull(SourceRun),
  },
);
export type UploadedPart = Static<typeof UploadedPart>;

const workspaceErrors = ['workspace_unavailable', 'workspace_rejected'] as const;

const lookLimit =
  'At most two requests of a site read from a workspace at the same time. Others are rejected with `rate_limited`.';

const collections = new Resource({
  tag: 'Sources',
  name: 'collection',
  read: 'sources:write',
  write: 'sources:write',
});

export const sourceCollectionOperations = named({
  listSourceCollections: collections.get({
    path: '/sources/{sourceId}/collections',
    summary: 'List the collections of a source',
    description:
      'The collections of the workspace that can be chosen. For a source of the type `program`, these are the ' +
      'uploaded ones. ' +
      lookLimit,
    returns: AvailableCollections,
    success: 'The collections.',
    errors: workspaceErrors,
  }),
  previewSourceCollection: collections.get({
    path: '/sources/{sourceId}/collections/{collectionKey}/preview',
    summary: 'Preview a collection',
    description: `The columns and the first ten rows of a collection, to choose what the columns mean. ${lookLimit}`,
    returns: CollectionPreview,
    success: 'The columns and rows.',
    errors: [...workspaceErrors, 'source_is_uploaded', 'collection_not_found', 'collection_unreadable'],
  }),
  uploadCollectionPeople: collections.replace({
    path: '/sources/{sourceId}/collections/{collectionKey}/people',
    summary: 'Upload the list of everybody in a collection',
    description:
      'For sources of the type `program`. A list has one or more parts; with the last one, marked as `complete`, the ' +
      'whole list is applied: people in it join the group of the collection, and become members if necessary; members ' +
      'of the group who are not in it leave the group and stay members. All lists of a site that are not applied yet have ' +
      'at most 2,000 parts; beyond that, parts are rejected with `rate_limited` until lists are applied or were not ' +
      'continued for an hour.',
    unconditional: true,
    body: UploadCollectionPeople,
    returns: UploadedPart,
    success: 'The stored part.',
    errors: ['source_is_read', 'list_incomplete', 'list_in_use'],
  }),
});
