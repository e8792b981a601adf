export {
  type Columns,
  type Field,
  failureColumns,
  fields,
  findColumns,
  noColumns,
  simplified,
  unknownHeadings,
} from './columns/find-columns.ts';
export { csvRow, delimiterOf, partsOf, type ReadingLimits, type Row, readRows } from './csv/csv.ts';
export { escapeCell, restoreCell } from './csv/formula-cells.ts';
export { InvalidCsv } from './csv/invalid-csv.ts';
export { type ExportedMember, exportColumns, toExportRow, withGroups } from './export/export.ts';
export { toBatches } from './import/batches.ts';
export { DryRun, type PredictedOutcome } from './import/dry-run.ts';
export { type FailedRow, FailedRows } from './import/failed-rows.ts';
export { createMissingGroups, type MatchedGroups, matchGroups } from './import/groups.ts';
export { Importer } from './import/importer.ts';
export { lookUpMembers } from './import/look-up.ts';
export {
  type DifferentField,
  type GroupsOfList,
  type ImportStatus,
  isFailure,
  type MemberState,
  type Outcome,
} from './import/outcome.ts';
export {
  type MemberDraft,
  maxGroupsPerRow,
  newDraft,
  type ReadingOptions,
  type Reason,
  readDraft,
} from './reading/member-draft.ts';
export { draftsOf, headingsOf, type MemberList, readMemberList } from './reading/member-list.ts';
export { decodeText } from './text/text-encoding.ts';
export { joinGroupNames, type NamedGroup, parsePaid, splitGroupNames } from './values/values.ts';
