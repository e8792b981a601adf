export { toBatches } from './batches.ts';
export {
  type Columns,
  type Field,
  failureColumns,
  fields,
  findColumns,
  noColumns,
  simplified,
  unknownHeadings,
} from './columns.ts';
export { csvRow, delimiterOf, partsOf, type ReadingLimits, type Row, readRows } from './csv.ts';
export { DryRun, type PredictedOutcome } from './dry-run.ts';
export { type ExportedMember, exportColumns, toExportRow, withGroups } from './export.ts';
export { type FailedRow, FailedRows } from './failed-rows.ts';
export { escapeCell, restoreCell } from './formula-cells.ts';
export { createMissingGroups, type MatchedGroups, matchGroups } from './groups.ts';
export { Importer } from './importer.ts';
export { InvalidCsv } from './invalid-csv.ts';
export { lookUpMembers } from './look-up.ts';
export {
  type MemberDraft,
  maxGroupsPerRow,
  newDraft,
  type ReadingOptions,
  type Reason,
  readDraft,
} from './member-draft.ts';
export { draftsOf, headingsOf, type MemberList, readMemberList } from './member-list.ts';
export {
  type DifferentField,
  type GroupsOfList,
  type ImportStatus,
  isFailure,
  type MemberState,
  type Outcome,
} from './outcome.ts';
export { decodeText } from './text-encoding.ts';
export { joinGroupNames, type NamedGroup, parsePaid, splitGroupNames } from './values.ts';
