import type { Static } from 'typebox';
import { maxNameLength } from '../shared/limits.ts';
import { named, Resource } from '../shared/resource.ts';
import {
  dateTime,
  defaulted,
  enumeration,
  exampleIds,
  maxRawValueLength,
  noControlCharacters,
  noNull,
  nullable,
  openEnumeration,
  uuid,
} from '../shared/schemas.ts';
import { Type } from '../shared/type.ts';
import { CollectionColumns } from './collection-columns.ts';
import { SourceCollection } from './source-collections.ts';
import { sourceTypeNames, sourceTypes } from './source-types.ts';

/** Characters in the URL of a list. */
const maxAddressLength = 2_000;

const typeDescription = sourceTypeNames
  .map((type) => `\`${type}\`: ${sourceTypes[type].description}.`)
  .join(' ');

/** What happens to members that a source created and that are in none of its collections any more. */
export const leaveActions = ['keep', 'block'] as const;
export type LeaveAction = (typeof leaveActions)[number];

const sourceFields = {
  enabled: Type.Boolean({
    description:
      'Whether it is synchronized on schedule. False by default, so that its collections can be chosen first. Without ' +
      'effect for the type `program`.',
    examples: [true],
  }),
  intervalMinutes: Type.Integer({
    minimum: 5,
    maximum: 10_080,
    description: 'Minutes between two synchronizations, give or take 10%.',
    examples: [15],
  }),
  name: Type.String({
    minLength: 1,
    maxLength: maxNameLength,
    description: 'Display name, unique among the sources of the site.',
    examples: ['Club office'],
  }),
  maxRemovedPeople: Type.Integer({
    minimum: 0,
    maximum: 1_000_000,
    description:
      'How many people may leave a collection in one run without a confirmation. One is required when both this ' +
      'number and `maxRemovedPercent` are exceeded, when at least 3 people and more than half would leave, or ' +
      'everybody, and when the row of somebody has lost its email address. The same holds for people who would leave a group, ' +
      'and for people who would no longer be paying.',
    examples: [10],
  }),
  maxRemovedPercent: Type.Integer({
    minimum: 0,
    maximum: 100,
    description:
      'What share of the people of a collection may leave it in one run without a confirmation. With 100 none is ever ' +
      'required, except while an email address cannot be read.',
    examples: [20],
  }),
  graceDays: Type.Integer({
    minimum: 0,
    maximum: 365,
    description: 'Days after which the group of a collection that is gone is deleted.',
    examples: [7],
  }),
  onLeave: enumeration(leaveActions, {
    description:
      'What happens to members that the source created and that are in none of its collections any more: `keep` ' +
      'leaves them as they are, `block` blocks them until they return.',
    examples: ['keep'],
  }),
};

export const Source = Type.Object(
  {
    id: uuid('The source.', exampleIds.source),
    type: openEnumeration(sourceTypeNames, {
      description: typeDescription,
      examples: ['program'],
    }),
    ...sourceFields,
    host: nullable(
      Type.String({
        description:
          'The host that the source is read from; null if a program uploads the lists. The token or the whole URL ' +
          'is stored encrypted and never returned.',
        examples: ['docs.google.com'],
      }),
    ),
    collections: Type.Array(SourceCollection, { description: 'The collections that become scope groups.' }),
    createdAt: dateTime('When the source was created.'),
    updatedAt: dateTime('When its settings were last changed.'),
  },
  { title: 'Source', description: 'An external workspace whose collections become scope groups.' },
);
export type Source = Static<typeof Source>;

const secretFields = {
  token: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: maxRawValueLength,
      pattern: noControlCharacters,
      description:
        'Of the type `notion`: the access token of an internal integration (`ntn_…`). It is stored encrypted and never ' +
        'returned.',
      examples: ['ntn_123456789'],
    }),
  ),
  address: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: maxAddressLength,
      pattern: noNull,
      description:
        'Of the type `list`: the https URL of a CSV or TSV file. It is stored encrypted and never returned, because ' +
        'anybody who knows it may be able to read the list.',
      examples: ['https://docs.google.com/spreadsheets/d/e/2PACX-example/pub?output=csv'],
    }),
  ),
};

const optionalFields = {
  enabled: Type.Optional(sourceFields.enabled),
  intervalMinutes: Type.Optional(sourceFields.intervalMinutes),
  maxRemovedPeople: Type.Optional(sourceFields.maxRemovedPeople),
  maxRemovedPercent: Type.Optional(sourceFields.maxRemovedPercent),
  graceDays: Type.Optional(sourceFields.graceDays),
  onLeave: Type.Optional(sourceFields.onLeave),
};

// The cap is higher than the limit, because the limit applies after trimming and normalizing.
const submittedName = Type.String({
  minLength: 1,
  maxLength: maxRawValueLength,
  pattern: noNull,
  description: 'Display name, 1 to 100 characters after trimming, unique among the sources of the site.',
  examples: ['Club office'],
});

const ChosenCollection = Type.Object(
  {
    key: Type.String({
      minLength: 1,
      maxLength: maxNameLength,
      pattern: noControlCharacters,
      description: 'The collection, as in the workspace.',
      examples: ['team'],
    }),
    name: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: maxRawValueLength,
        pattern: noNull,
        description:
          'Its name in the workspace, to be shown until the first synchronization finds it out. Without effect for a ' +
          'collection that is known already.',
        examples: ['Team'],
      }),
    ),
    columns: CollectionColumns,
  },
  { title: 'ChosenCollection', additionalProperties: false },
);

export const CreateSource = Type.Object(
  {
    type: enumeration(sourceTypeNames, {
      description: typeDescription,
      examples: ['program'],
    }),
    name: submittedName,
    ...secretFields,
    ...optionalFields,
  },
  {
    title: 'CreateSource',
    additionalProperties: false,
    examples: [{ type: 'program', name: 'Club office', graceDays: 7, onLeave: 'keep' }],
  },
);
export type CreateSource = Static<typeof CreateSource>;

export const UpdateSource = Type.Object(
  {
    name: Type.Optional(submittedName),
    ...secretFields,
    collections: Type.Optional(
      Type.Array(ChosenCollection, {
        maxItems: 500,
        description:
          'The collections that become scope groups. People of a collection that is left out stay in its group for ' +
          '`graceDays`, or until a synchronization with `confirmRemovals`. Not for the type `program`.',
      }),
    ),
    ...optionalFields,
  },
  {
    title: 'UpdateSource',
    description: 'The fields to change, at least one. Fields that are left out keep their value.',
    additionalProperties: false,
    minProperties: 1,
    examples: [{ name: 'Club office', graceDays: 7 }],
  },
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
      'Changes the given settings, at least one. Any change of a source that is synchronized on schedule starts a run at ' +
      'once. To see first what it would do, turn the source off and ask for a dry run.',
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
        enumeration(['keep', 'delete'], {
          default: 'keep',
          description:
            '`keep`: its groups become custom groups. `delete`: its groups are deleted with their memberships.',
        }),
      ),
    },
  }),
});
