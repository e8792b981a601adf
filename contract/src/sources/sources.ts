import { type Static, Type } from 'typebox';
import { maxNameLength } from '../shared/limits.ts';
import { named, Resource } from '../shared/resource.ts';
import {
  changes,
  dateTime,
  defaulted,
  enumeration,
  exampleIds,
  flag,
  integer,
  maxRawValueLength,
  noControlCharacters,
  noNull,
  nullable,
  openEnumeration,
  optional,
  rawText,
  request,
  shape,
  text,
  uuid,
} from '../shared/schemas.ts';
import { CollectionColumns } from './collection-columns.ts';
import { SourceCollection } from './source-collections.ts';
import { sourceTypeNames, sourceTypes } from './source-types.ts';

/** Characters in the URL of a list. */
const maxAddressLength = 2_000;

const typeDescription = [
  'What the source is.',
  ...sourceTypeNames.map((type) => `\`${type}\`: ${sourceTypes[type].description}.`),
].join(' ');

/** What happens to members that a source created and that are in none of its collections any more. */
export const leaveActions = ['keep', 'block'] as const;
export type LeaveAction = (typeof leaveActions)[number];

const schedule = {
  enabled: flag(
    'Whether it is synchronized on schedule. False by default, so that its collections can be chosen first. Without ' +
      'effect for the type `program`.',
    true,
  ),
  intervalMinutes: integer('Minutes between two synchronizations, give or take 10%.', 15, {
    minimum: 5,
    maximum: 10_080,
  }),
};

const removals = {
  maxRemovedPeople: integer(
    'How many people may leave a collection in one run without a confirmation. A confirmation is required if both ' +
      'this number and `maxRemovedPercent` are exceeded, if everybody would leave, or more than half and at least 3 ' +
      'people, and if a row has lost its email address. The same applies to people who would leave a group or would ' +
      'no longer be paying.',
    10,
    { minimum: 0, maximum: 1_000_000 },
  ),
  maxRemovedPercent: integer(
    'What share of the people of a collection may leave it in one run without a confirmation. With 100 none is ever ' +
      'required, except while an email address cannot be read.',
    20,
    { minimum: 0, maximum: 100 },
  ),
  graceDays: integer('Days after which the group of a collection that is gone is deleted.', 7, {
    minimum: 0,
    maximum: 365,
  }),
  onLeave: enumeration(
    leaveActions,
    'What happens to members that the source created and that are in none of its collections any more: `keep` ' +
      'leaves them as they are, `block` blocks them until they return.',
    'keep',
  ),
};

export const Source = shape('Source', 'An external workspace whose collections become scope groups.', {
  id: uuid('The source.', exampleIds.source),
  type: openEnumeration(sourceTypeNames, typeDescription, 'program'),
  ...schedule,
  name: text('Display name, unique among the sources of the site.', 'Club office', {
    minLength: 1,
    maxLength: maxNameLength,
  }),
  ...removals,
  host: nullable(
    text(
      'The host that the source is read from; null if a program uploads the lists. The token or the whole URL ' +
        'is stored encrypted and never returned.',
      'docs.google.com',
    ),
  ),
  collections: Type.Array(SourceCollection, { description: 'The collections that become scope groups.' }),
  createdAt: dateTime('When the source was created.'),
  updatedAt: dateTime('When its settings were last changed.'),
});
export type Source = Static<typeof Source>;

const secretFields = {
  token: text(
    'The access token of an internal integration of Notion (`ntn_…`), for the type `notion`. It is stored encrypted and never ' +
      'returned.',
    'ntn_123456789',
    { minLength: 1, maxLength: maxRawValueLength, pattern: noControlCharacters },
  ),
  address: text(
    'The https URL of a CSV or TSV file, for the type `list`. It is stored encrypted and never returned, because ' +
      'anybody who knows it may be able to read the list.',
    'https://docs.google.com/spreadsheets/d/e/2PACX-example/pub?output=csv',
    { minLength: 1, maxLength: maxAddressLength, pattern: noNull },
  ),
};

const submittedName = rawText(
  'Display name, 1 to 100 characters after trimming, unique among the sources of the site.',
  'Club office',
);

const ChosenCollection = request('ChosenCollection', {
  key: text('Identifies the collection in the workspace.', 'team', {
    minLength: 1,
    maxLength: maxNameLength,
    pattern: noControlCharacters,
  }),
  name: Type.Optional(
    rawText(
      'Its name in the workspace, to be shown until the first synchronization finds it out. Without effect for a ' +
        'collection that is known already.',
      'Team',
    ),
  ),
  columns: CollectionColumns,
});

export const CreateSource = request(
  'CreateSource',
  {
    type: enumeration(sourceTypeNames, typeDescription, 'program'),
    name: submittedName,
    ...optional(secretFields),
    ...optional(schedule),
    ...optional(removals),
  },
  { examples: [{ type: 'program', name: 'Club office', graceDays: 7, onLeave: 'keep' }] },
);
export type CreateSource = Static<typeof CreateSource>;

export const UpdateSource = changes(
  'UpdateSource',
  {
    name: submittedName,
    ...secretFields,
    collections: Type.Array(ChosenCollection, {
      maxItems: 500,
      description:
        'The collections that become scope groups. People of a collection that is left out stay in its group for ' +
        '`graceDays`, or until a synchronization with `confirmRemovals`. Not for the type `program`.',
    }),
    ...schedule,
    ...removals,
  },
  { examples: [{ name: 'Club office', graceDays: 7 }] },
);
export type UpdateSource = Static<typeof UpdateSource>;

const sources = new Resource({
  tag: 'Sources',
  name: 'source',
  read: 'sources:read',
  write: 'sources:write',
});

export const sourceOperations = named({
  listSources: sources.list({
    path: '/sources',
    summary: 'List sources',
    description: 'The sources of the site with their collections, newest first.',
    returns: Source,
  }),
  createSource: sources.create({
    path: '/sources',
    summary: 'Create a source',
    description: 'Its collections become scope groups with the first synchronization.',
    body: CreateSource,
    returns: Source,
    errors: ['source_name_taken'],
  }),
  getSource: sources.get({
    path: '/sources/{sourceId}',
    summary: 'Get a source',
    description: 'One source with its collections.',
    returns: Source,
  }),
  updateSource: sources.update({
    path: '/sources/{sourceId}',
    summary: 'Update a source',
    description:
      'Changes the given settings, at least one. If the source is synchronized on schedule, a run starts at once. ' +
      'To see its effects first, turn the source off and start a dry run.',
    body: UpdateSource,
    returns: Source,
    errors: ['source_name_taken'],
  }),
  deleteSource: sources.delete({
    path: '/sources/{sourceId}',
    summary: 'Delete a source',
    description:
      'Permanent. By default its groups become custom groups with the same members. No member is deleted.',
    query: {
      groups: defaulted(
        enumeration(
          ['keep', 'delete'],
          'What happens to the groups of the source. `keep`: they become custom groups. `delete`: they are deleted with ' +
            'their memberships.',
        ),
        'keep',
      ),
    },
  }),
});
