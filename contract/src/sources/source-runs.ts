import { type Static, Type } from 'typebox';
import { named, Resource } from '../shared/resource.ts';
import {
  count,
  dateTime,
  exampleIds,
  flag,
  nullable,
  openEnumeration,
  orNull,
  request,
  shape,
  text,
  uuid,
} from '../shared/schemas.ts';

export const runStatuses = ['waiting', 'running', 'succeeded', 'confirmation_required', 'failed'] as const;
export type RunStatus = (typeof runStatuses)[number];

export const runTriggers = ['schedule', 'request', 'change', 'list'] as const;
export type RunTrigger = (typeof runTriggers)[number];

export const skipReasons = [
  'no_email',
  'invalid_email',
  'unknown_value',
  'unclear_column',
  'unclear_date',
  'unclear_groups',
  'invalid_status',
  'invalid_group_ends',
  'invalid_paid',
  'other_name',
  'invalid_display_name',
  'invalid_group',
] as const;
export type SkipReason = (typeof skipReasons)[number];

const people = (description: string, example = 0) => count(description, example);

/** The numbers of a run, in all or of one collection. */
const counts = {
  read: people('People in the workspace, each counted once per collection.', 240),
  created: people('People who became members.', 12),
  added: people('Memberships that were added.', 14),
  changed: people('Members whose name or `paid` was changed.', 3),
  removed: people('Memberships that were removed.', 2),
  withheld: people(
    'People who would leave the collection or a group, or no longer be paying, and stay as they are until ' +
      'somebody confirms it.',
    0,
  ),
  blocked: people('Members that were blocked because they left the source.', 0),
  skipped: people('People who could not be read.', 1),
  unreadable: people(
    'Rows whose email address cannot be read: it is invalid, there are several, or the cell shows an error such as ' +
      '`#REF!`. While there is one, nobody leaves the collection or a group, is no longer paying, or is blocked, ' +
      'except with a confirmation that names a run. Correct or remove these rows.',
    0,
  ),
};

export const runErrorCodes = [
  'unavailable',
  'rejected',
  'not_found',
  'incomplete',
  'too_large',
  'columns_missing',
  'stopped',
  'internal',
] as const;

export const RunError = shape('RunError', 'Why a run or a collection failed.', {
  code: openEnumeration(
    runErrorCodes,
    'What happened, for programs. `stopped`: somebody turned the source off or changed the collection during the ' +
      'run.',
    'unavailable',
  ),
  message: text(
    'What happened and what to do next, for people.',
    'The workspace did not respond. Gatehouse tries again later.',
  ),
});
export type RunError = Static<typeof RunError>;

export const CollectionResult = shape('CollectionResult', 'What a run did with one collection.', {
  key: text('Identifies the collection in the workspace.', 'team'),
  name: text('Its name.', 'Team'),
  ...counts,
  error: orNull(RunError),
  skippedPeople: Type.Array(
    Type.Object(
      {
        place: text('Where it is in the collection.', 'row 17'),
        value: text('What was read, up to 200 characters of it.', 'ada@example'),
        reason: openEnumeration(
          skipReasons,
          'Why it was skipped. `unknown_value`: a cell says that its value is not known, such as `#REF!` or ' +
            '`Loading...`. `unclear_…`: state in `columns` of the collection what is meant. With these, ' +
            '`invalid_status`, `invalid_group_ends` and `invalid_paid`, the person is not changed. With `other_name` ' +
            '(an earlier row has the same email address), `invalid_display_name` or `invalid_group`, only the name ' +
            'or the group is left out.',
          'invalid_email',
        ),
      },
      { title: 'SkippedPerson' },
    ),
    {
      description:
        'The first 20 of those that could not be read; none after 7 days, and none for callers without the permission ' +
        '`members:read`.',
    },
  ),
  sample: shape(
    'CollectionSample',
    'The first 20 people of each kind, in a dry run or when a confirmation is required; none after 7 days, and none ' +
      'for callers without the permission `members:read`.',
    {
      added: Type.Array(Type.String({ examples: ['ada@example.com'] })),
      removed: Type.Array(Type.String({ examples: ['grace@example.com'] })),
    },
  ),
});
export type CollectionResult = Static<typeof CollectionResult>;

export const SourceRun = shape('SourceRun', 'One synchronization of a source.', {
  id: uuid('The run.', exampleIds.run),
  sourceId: uuid('The source.', exampleIds.source),
  status: openEnumeration(
    runStatuses,
    '`waiting`: not begun yet. `running`. `succeeded`: the groups are as in the workspace. ' +
      '`confirmation_required`: people were added, but more would leave or no longer be paying than is ' +
      'allowed without a confirmation; they stay as they are until then. `failed`: nobody was removed where ' +
      'something failed.',
    'succeeded',
  ),
  trigger: openEnumeration(
    runTriggers,
    '`schedule`: the source is synchronized on schedule. `request`: the run was requested. `change`: the workspace ' +
      'reported a change. `list`: a program uploaded a list.',
    'schedule',
  ),
  dryRun: flag('Whether it only shows what would change.', false),
  counts: shape('RunCounts', 'The numbers over all collections, so far.', counts),
  collections: Type.Array(CollectionResult, { description: 'What was done with each collection.' }),
  groupsToDelete: Type.Array(
    Type.Object(
      {
        groupId: uuid('The group.', exampleIds.group),
        name: text('Its name.', 'Team'),
      },
      { title: 'GroupToDelete' },
    ),
    {
      description:
        'The groups that are deleted with a confirmation, or after `graceDays`: those of collections that are gone, ' +
        'and those that nobody is in any more.',
    },
  ),
  error: orNull(RunError),
  createdAt: dateTime('When the run was requested or planned.'),
  dueAt: nullable(dateTime('When it will begin; null if it has begun, or begins as soon as possible.')),
  startedAt: nullable(dateTime('When it began; null if it has not.')),
  endedAt: nullable(dateTime('When it ended; null if it has not.')),
});
export type SourceRun = Static<typeof SourceRun>;

export const dryRun = Type.Optional(flag('Only shows what would change. Defaults to false.', false));
export const confirmRemovals = Type.Optional(
  flag(
    'Confirms that people may be removed, however many, and that the groups of missing collections may be deleted. ' +
      'While an email address cannot be read, `confirmedRunId` is required as well. Defaults to false.',
    false,
  ),
);

export const SyncSource = request(
  'SyncSource',
  {
    dryRun,
    confirmRemovals,
    confirmedRunId: Type.Optional(
      uuid(
        'The run, or dry run, whose removals are confirmed, together with `confirmRemovals`. Further removals of people, ' +
          'or further groups to delete, need a confirmation of their own. If left out, all removals are confirmed.',
        exampleIds.run,
      ),
    ),
  },
  { examples: [{ dryRun: true }] },
);
export type SyncSource = Static<typeof SyncSource>;

const runs = new Resource({
  tag: 'Sources',
  name: 'run',
  read: 'sources:read',
  write: 'sources:write',
});

export const sourceRunOperations = named({
  listSourceRuns: runs.list({
    path: '/sources/{sourceId}/runs',
    summary: 'List the runs of a source',
    description:
      'The runs of the last 90 days, newest first. The people in them are named only to callers with `members:read`.',
    returns: SourceRun,
  }),
  getSourceRun: runs.get({
    path: '/sources/{sourceId}/runs/{runId}',
    summary: 'Get a run of a source',
    description:
      'What a run has done so far, with each collection. People are named only to callers with `members:read`.',
    returns: SourceRun,
  }),
  syncSource: runs.create({
    path: '/sources/{sourceId}/sync',
    summary: 'Synchronize a source',
    description:
      'Starts a run as soon as possible, also of a source that is not synchronized on schedule. The response does ' +
      'not wait for it: its progress is in the run.',
    body: SyncSource,
    returns: SourceRun,
    success: 'The run.',
    errors: ['source_is_uploaded', 'source_run_not_found'],
  }),
});
