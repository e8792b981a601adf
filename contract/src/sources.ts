import Type, { type Static, type TSchema } from 'typebox';
import { maxListPartPeople, maxNameLength } from './limits.ts';
import type { Operation } from './operation.ts';
import {
  dateTime,
  defaulted,
  enumeration,
  exampleIds,
  maxRawValueLength,
  noControlCharacters,
  noNull,
  nothing,
  nullable,
  openEnumeration,
  page,
  pageParameters,
  single,
  uuid,
} from './schemas.ts';

export const sourceKinds = ['program'] as const;
export type SourceKind = (typeof sourceKinds)[number];

/** What happens to members that a source created and that are in none of its collections any more. */
export const leaverActions = ['keep', 'block'] as const;
export type LeaverAction = (typeof leaverActions)[number];

export const runStates = ['waiting', 'running', 'succeeded', 'confirmation_required', 'failed'] as const;
export type RunState = (typeof runStates)[number];

export const runTriggers = ['list'] as const;

export const skipReasons = ['no_email', 'invalid_email', 'invalid_display_name'] as const;
export type SkipReason = (typeof skipReasons)[number];

const people = (description: string, example = 0) =>
  Type.Integer({ minimum: 0, description, examples: [example] });

/** An object or null. */
const orNull = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);

/** The numbers of a run, in all or of one collection. */
const counts = {
  read: people('People in the workspace, each counted once per collection.', 240),
  created: people('People who became members.', 12),
  added: people('Memberships that were added.', 14),
  changed: people('Members whose name or `paid` was changed.', 3),
  removed: people('Memberships that were removed.', 2),
  withheld: people('People who would leave a group and stay until somebody confirms it.', 0),
  blocked: people('Members that were blocked because they left the source.', 0),
  skipped: people('People who could not be read.', 1),
};

export const RunError = Type.Object(
  {
    code: openEnumeration(
      ['unavailable', 'rejected', 'not_found', 'incomplete', 'too_large', 'interrupted', 'internal'] as const,
      { description: 'What happened, for programs.', examples: ['unavailable'] },
    ),
    message: Type.String({
      description: 'What happened and what to do next, for people.',
      examples: ['The workspace did not respond. Gatehouse tries again later.'],
    }),
  },
  { title: 'RunError', description: 'Why a run or a collection failed.' },
);
export type RunError = Static<typeof RunError>;

export const CollectionResult = Type.Object(
  {
    key: Type.String({ description: 'The collection, as in the workspace.', examples: ['team'] }),
    name: Type.String({ description: 'Its name.', examples: ['Team'] }),
    ...counts,
    error: orNull(RunError),
    skippedPeople: Type.Array(
      Type.Object(
        {
          place: Type.String({ description: 'Where it is in the collection.', examples: ['row 17'] }),
          value: Type.String({ description: 'What was read.', examples: ['ada@example'] }),
          reason: openEnumeration(skipReasons, {
            description: 'Why it was skipped.',
            examples: ['invalid_email'],
          }),
        },
        { title: 'SkippedPerson' },
      ),
      { description: 'The first 20 of those that could not be read.' },
    ),
    sample: Type.Object(
      {
        added: Type.Array(Type.String({ examples: ['ada@example.com'] })),
        removed: Type.Array(Type.String({ examples: ['grace@example.com'] })),
      },
      {
        title: 'CollectionSample',
        description: 'The first 20 people of each kind, in a dry run or when a confirmation is required.',
      },
    ),
  },
  { title: 'CollectionResult', description: 'What a run did with one collection.' },
);
export type CollectionResult = Static<typeof CollectionResult>;

export const SourceRun = Type.Object(
  {
    id: uuid('The run.', exampleIds.run),
    sourceId: uuid('The source.', exampleIds.source),
    state: openEnumeration(runStates, {
      description:
        '`waiting`: not begun yet. `running`. `succeeded`: the groups are as in the workspace. ' +
        '`confirmation_required`: people were added, but more would leave a group than is allowed without a ' +
        'confirmation; they stay until then. `failed`: nobody was removed where something failed.',
      examples: ['succeeded'],
    }),
    trigger: openEnumeration(runTriggers, {
      description: '`list`: a program uploaded a list.',
      examples: ['list'],
    }),
    dryRun: Type.Boolean({ description: 'Whether it only shows what would change.', examples: [false] }),
    counts: Type.Object(counts, {
      title: 'RunCounts',
      description: 'The numbers over all collections, so far.',
    }),
    collections: Type.Array(CollectionResult, { description: 'What was done with each collection.' }),
    error: orNull(RunError),
    createdAt: dateTime('When the run was requested or planned.'),
    plannedFor: nullable(
      dateTime('When it will begin; null if it has begun, or begins as soon as possible.'),
    ),
    startedAt: nullable(dateTime('When it began; null if it has not.')),
    endedAt: nullable(dateTime('When it ended; null if it has not.')),
  },
  { title: 'SourceRun', description: 'One synchronization of a source.' },
);
export type SourceRun = Static<typeof SourceRun>;

export const SourceCollection = Type.Object(
  {
    key: Type.String({ description: 'The collection, as in the workspace.', examples: ['team'] }),
    name: Type.String({ description: 'Its name in the workspace.', examples: ['Team'] }),
    groupId: nullable(uuid('Its scope group; null before the first synchronization.', exampleIds.group)),
    missingSince: nullable(
      dateTime(
        'Since when the workspace does not have it, or it is no longer chosen; null while it is there.',
      ),
    ),
  },
  { title: 'SourceCollection', description: 'A collection of a workspace that becomes a scope group.' },
);
export type SourceCollection = Static<typeof SourceCollection>;

const sourceFields = {
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
      'number and `maxRemovedPercent` are exceeded, or when everybody would leave.',
    examples: [10],
  }),
  maxRemovedPercent: Type.Integer({
    minimum: 0,
    maximum: 100,
    description: 'What share of the people of a collection may leave it in one run without a confirmation.',
    examples: [20],
  }),
  graceDays: Type.Integer({
    minimum: 0,
    maximum: 365,
    description: 'Days after which the group of a collection that is gone is deleted.',
    examples: [7],
  }),
  leavers: enumeration(leaverActions, {
    description:
      'What happens to members that the source created and that are in none of its collections any more: `keep` ' +
      'leaves them as they are, `block` blocks them until they return.',
    examples: ['keep'],
  }),
};

export const Source = Type.Object(
  {
    id: uuid('The source.', exampleIds.source),
    kind: openEnumeration(sourceKinds, {
      description: '`program`: a program uploads the lists.',
      examples: ['program'],
    }),
    ...sourceFields,
    collections: Type.Array(SourceCollection, { description: 'The collections that become scope groups.' }),
    createdAt: dateTime('When the source was created.'),
    updatedAt: dateTime('When its settings were last changed.'),
  },
  { title: 'Source', description: 'An external workspace whose collections become scope groups.' },
);
export type Source = Static<typeof Source>;

const optionalFields = {
  maxRemovedPeople: Type.Optional(sourceFields.maxRemovedPeople),
  maxRemovedPercent: Type.Optional(sourceFields.maxRemovedPercent),
  graceDays: Type.Optional(sourceFields.graceDays),
  leavers: Type.Optional(sourceFields.leavers),
};

// The cap is higher than the limit, because the limit applies after trimming and normalizing.
const submittedName = Type.String({
  minLength: 1,
  maxLength: maxRawValueLength,
  pattern: noNull,
  description: 'Display name, 1 to 100 characters after trimming, unique among the sources of the site.',
  examples: ['Club office'],
});

export const CreateSource = Type.Object(
  {
    kind: enumeration(sourceKinds, {
      description: '`program`: a program uploads the lists.',
      examples: ['program'],
    }),
    name: submittedName,
    ...optionalFields,
  },
  { title: 'CreateSource', additionalProperties: false },
);
export type CreateSource = Static<typeof CreateSource>;

export const UpdateSource = Type.Object(
  { name: Type.Optional(submittedName), ...optionalFields },
  {
    title: 'UpdateSource',
    description: 'The fields to change, at least one. Fields that are left out keep their value.',
    additionalProperties: false,
    minProperties: 1,
  },
);
export type UpdateSource = Static<typeof UpdateSource>;

const dryRun = Type.Optional(
  Type.Boolean({ description: 'Only shows what would change. Defaults to false.', examples: [false] }),
);
const confirmRemovals = Type.Optional(
  Type.Boolean({
    description:
      'Confirms that people may be removed, however many, and that the groups of missing collections may be deleted. ' +
      'Defaults to false.',
    examples: [false],
  }),
);

export const ListedPerson = Type.Object(
  {
    email: Type.String({
      maxLength: maxRawValueLength,
      pattern: noNull,
      description: 'The email address. Someone without a valid one is skipped and reported.',
      examples: ['ada@example.com'],
    }),
    displayName: Type.Optional(
      nullable(
        Type.String({
          maxLength: maxRawValueLength,
          pattern: noNull,
          description: 'The name; null if there is none. If left out, the member keeps the current name.',
          examples: ['Ada Lovelace'],
        }),
      ),
    ),
    paid: Type.Optional(
      Type.Boolean({
        description: 'Whether the person has paid. If left out, the member keeps the current value.',
        examples: [true],
      }),
    ),
    groups: Type.Optional(
      Type.Array(
        Type.String({
          minLength: 1,
          maxLength: maxRawValueLength,
          pattern: noNull,
          description: 'The name of a group.',
          examples: ['Rowing'],
        }),
        {
          maxItems: 100,
          description:
            'The groups of the person, each a scope group of the source. If left out, the person is in the group of ' +
            'the collection.',
        },
      ),
    ),
  },
  { title: 'ListedPerson', description: 'A person in an uploaded list.', additionalProperties: false },
);
export type ListedPerson = Static<typeof ListedPerson>;

export const UploadCollectionPeople = Type.Object(
  {
    list: Type.String({
      minLength: 1,
      maxLength: maxNameLength,
      pattern: noControlCharacters,
      description: 'Identifies the list; chosen by the program, and the same for all parts of one list.',
      examples: ['2026-01-31T09:30'],
    }),
    part: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 499,
        description:
          'The number of the part, counted from 0. A part that is sent again replaces the earlier one. Defaults to 0.',
        examples: [0],
      }),
    ),
    people: Type.Array(ListedPerson, {
      maxItems: maxListPartPeople,
      description: 'The people of this part.',
    }),
    complete: Type.Optional(
      Type.Boolean({
        description: 'Whether this is the last part, so that the whole list is applied. Defaults to false.',
        examples: [true],
      }),
    ),
    name: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: maxRawValueLength,
        pattern: noNull,
        description: 'The name of the collection, which its group follows. Defaults to its key.',
        examples: ['Team'],
      }),
    ),
    dryRun,
    confirmRemovals,
  },
  { title: 'UploadCollectionPeople', additionalProperties: false },
);
export type UploadCollectionPeople = Static<typeof UploadCollectionPeople>;

export const UploadedPart = Type.Object(
  {
    parts: Type.Integer({ minimum: 1, description: 'The parts of the list uploaded so far.', examples: [1] }),
    run: orNull(SourceRun),
  },
  {
    title: 'UploadedPart',
    description: 'A stored part of a list; `run` applies the list once it is complete.',
  },
);
export type UploadedPart = Static<typeof UploadedPart>;

const sourceIdParameter = uuid('The id of the source.', exampleIds.source);
const sourceParams = Type.Object({ sourceId: sourceIdParameter }, { additionalProperties: false });
const runParams = Type.Object(
  { sourceId: sourceIdParameter, runId: uuid('The id of the run.', exampleIds.run) },
  { additionalProperties: false },
);
const collectionParams = Type.Object(
  {
    sourceId: sourceIdParameter,
    collectionKey: Type.String({
      minLength: 1,
      maxLength: maxNameLength,
      pattern: noControlCharacters,
      description: 'The collection; chosen by the program, and the same when the collection is renamed.',
      examples: ['team'],
    }),
  },
  { additionalProperties: false },
);

export const listSources = {
  id: 'listSources',
  method: 'GET',
  path: '/sources',
  tag: 'Sources',
  summary: 'List sources',
  description: 'The sources of the site with their collections, newest first.',
  permission: 'sources:read',
  params: nothing,
  query: Type.Object(pageParameters, { additionalProperties: false }),
  body: null,
  success: { status: 200, description: 'A page of sources.', body: page(Source), headers: ['Link'] },
  errors: [],
} as const satisfies Operation;

export const createSource = {
  id: 'createSource',
  method: 'POST',
  path: '/sources',
  tag: 'Sources',
  summary: 'Create a source',
  description: 'Its collections become scope groups with the first synchronization.',
  permission: 'sources:write',
  params: nothing,
  query: nothing,
  body: CreateSource,
  success: {
    status: 201,
    description: 'The new source.',
    body: single(Source),
    headers: ['Location', 'ETag'],
  },
  errors: ['source_name_taken'],
} as const satisfies Operation;

export const getSource = {
  id: 'getSource',
  method: 'GET',
  path: '/sources/{sourceId}',
  tag: 'Sources',
  summary: 'Get a source',
  description: 'One source with its collections.',
  permission: 'sources:read',
  params: sourceParams,
  query: nothing,
  body: null,
  success: { status: 200, description: 'The source.', body: single(Source), headers: ['ETag'] },
  errors: ['source_not_found'],
} as const satisfies Operation;

export const updateSource = {
  id: 'updateSource',
  method: 'PATCH',
  path: '/sources/{sourceId}',
  tag: 'Sources',
  summary: 'Update a source',
  description: 'Changes the given settings, at least one.',
  permission: 'sources:write',
  params: sourceParams,
  query: nothing,
  body: UpdateSource,
  success: {
    status: 200,
    description: 'The source after the change.',
    body: single(Source),
    headers: ['ETag'],
  },
  errors: ['source_not_found', 'source_name_taken'],
} as const satisfies Operation;

export const deleteSource = {
  id: 'deleteSource',
  method: 'DELETE',
  path: '/sources/{sourceId}',
  tag: 'Sources',
  summary: 'Delete a source',
  description:
    'Permanent. By default its groups become custom groups with the same members. No member is deleted.',
  permission: 'sources:write',
  params: sourceParams,
  query: Type.Object(
    {
      groups: defaulted(
        enumeration(['keep', 'delete'], {
          default: 'keep',
          description:
            '`keep`: its groups become custom groups. `delete`: its groups are deleted with their memberships.',
        }),
      ),
    },
    { additionalProperties: false },
  ),
  body: null,
  success: { status: 204, description: 'The source is deleted.', body: null, headers: [] },
  errors: ['source_not_found'],
} as const satisfies Operation;

export const listSourceRuns = {
  id: 'listSourceRuns',
  method: 'GET',
  path: '/sources/{sourceId}/runs',
  tag: 'Sources',
  summary: 'List the runs of a source',
  description: 'The runs of the last 90 days, newest first.',
  permission: 'sources:read',
  params: sourceParams,
  query: Type.Object(pageParameters, { additionalProperties: false }),
  body: null,
  success: { status: 200, description: 'A page of runs.', body: page(SourceRun), headers: ['Link'] },
  errors: ['source_not_found'],
} as const satisfies Operation;

export const getSourceRun = {
  id: 'getSourceRun',
  method: 'GET',
  path: '/sources/{sourceId}/runs/{runId}',
  tag: 'Sources',
  summary: 'Get a run of a source',
  description: 'What a run has done so far, with each collection.',
  permission: 'sources:read',
  params: runParams,
  query: nothing,
  body: null,
  success: { status: 200, description: 'The run.', body: single(SourceRun), headers: ['ETag'] },
  errors: ['source_not_found', 'source_run_not_found'],
} as const satisfies Operation;

export const uploadCollectionPeople = {
  id: 'uploadCollectionPeople',
  unconditional: true,
  method: 'PUT',
  path: '/sources/{sourceId}/collections/{collectionKey}/people',
  tag: 'Sources',
  summary: 'Upload the list of everybody in a collection',
  description:
    'For sources of the kind `program`. A list has one or more parts; with the last one, marked as `complete`, the ' +
    'whole list is applied: people in it join the group of the collection, and become members if necessary; members ' +
    'of the group who are not in it leave the group and stay members.',
  permission: 'sources:write',
  params: collectionParams,
  query: nothing,
  body: UploadCollectionPeople,
  success: { status: 200, description: 'The stored part.', body: single(UploadedPart), headers: [] },
  errors: ['source_not_found', 'source_is_read', 'list_incomplete'],
} as const satisfies Operation;
