export { type Columns, type Field, fields, noColumns } from './columns/fields.ts';
export { findColumns } from './columns/find-columns.ts';
export { columnName, distinctHeadings, failureColumns, simplified } from './columns/headings.ts';
export { areHeadings, withoutTitle } from './columns/title-rows.ts';
export { csvRow, delimiterOf, partsOf, type Row, readRows } from './csv/csv.ts';
export { escapeCell, restoreCell } from './csv/formula-cells.ts';
export { InvalidCsv } from './csv/invalid-csv.ts';
export { inTurns } from './csv/next-turn.ts';
export { type ExportedMember, exportColumns, toExportRow, withGroups } from './export/export.ts';
export { toBatches } from './import/batches.ts';
export { DryRun, type DryRunOptions } from './import/dry-run.ts';
export { type FailedRow, FailedRows } from './import/failed-rows.ts';
export { createMissingGroups, type MatchedGroups, matchGroups } from './import/groups.ts';
export { Importer } from './import/importer.ts';
export { lookUpMembers } from './import/look-up.ts';
export {
  type Change,
  changesOf,
  type GroupsOfList,
  type ImportStatus,
  isFailure,
  type MemberState,
  type Outcome,
} from './import/outcome.ts';
export { isUsed, RepeatedRows, unite } from './import/repeated-rows.ts';
export { type ResultRow, resultColumns, toResultRow } from './import/result-rows.ts';
export { unitedDrafts } from './import/united-drafts.ts';
export { type KnownExportName, knownExport, knownExportNames } from './known/known-exports.ts';
export { missingStateHeadings } from './known/known-reading.ts';
export {
  type DateOrder,
  dateOrders,
  foldWord,
  type ListAnswers,
  type ListQuestion,
  type ListReading,
  meaningOf,
  type OpenStatusWord,
  type StatusMeaning,
  statusMeanings,
} from './reading/list-reading.ts';
export {
  type MemberDraft,
  maxGroupsPerRow,
  newDraft,
  type Reason,
  type RowProblem,
  readDraft,
  rowProblems,
} from './reading/member-draft.ts';
export { type MemberList, readMemberList, withHeadings } from './reading/member-list.ts';
export {
  ListSurvey,
  type ProposedReading,
  type SiteOfList,
  unusedHeadings,
  usedColumns,
} from './reading/survey.ts';
export { EncodingDetector } from './text/encoding-detector.ts';
export type { OtherFileKind } from './text/file-kinds.ts';
export {
  decodeInTurns,
  decodeParts,
  decodeText,
  type TextEncoding,
  textEncodings,
} from './text/text-encoding.ts';
export { isUnknownCell } from './text/unknown-cells.ts';
export { addressIn, readAddress } from './values/addresses.ts';
export { groupNamesIn, joinGroupNames, type NamedGroup, splitGroupNames } from './values/group-names.ts';
export { separatorChoices } from './values/separators.ts';
export { parsePaid } from './values/words.ts';
