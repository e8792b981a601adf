import { Type } from 'typebox';
import { exampleIds, shape, uuid } from '../../shared/schemas.ts';
import { RunError, SourceRun } from '../../sources/source-runs.ts';
import { Source } from '../../sources/sources.ts';
import { changes, data } from './shared.ts';

const sourceId = uuid('The source.', exampleIds.source);
const runId = uuid('The run.', exampleIds.run);
const sourceCreated = data('SourceCreatedData', {
  source: Type.Object(
    { id: Source.properties.id, type: Source.properties.type, name: Source.properties.name },
    { description: 'The source as created.' },
  ),
});
const sourceUpdated = data('SourceUpdatedData', { sourceId, changes });
const sourceDeleted = data('SourceDeletedData', { sourceId, name: Source.properties.name });
const { created, added, changed, removed, withheld, blocked } = SourceRun.properties.counts.properties;
const sourceSynced = data('SourceSyncedData', {
  sourceId,
  runId,
  counts: shape('SyncCounts', 'What the run has changed.', {
    created,
    added,
    changed,
    removed,
    withheld,
    blocked,
  }),
});
const sourceFailed = data('SourceFailedData', { sourceId, runId, error: RunError });

/** The data of events about sources, by event type. */
export const sourceEvents = {
  'source.created': sourceCreated,
  'source.updated': sourceUpdated,
  'source.deleted': sourceDeleted,
  'source.synced': sourceSynced,
  'source.failed': sourceFailed,
};
