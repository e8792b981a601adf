export {
  type Columns,
  type Field,
  fields,
  noColumns,
  type SourceField,
  sourceFields,
} from './columns/fields.ts';
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
export { mergedDrafts } from './import/merged-drafts.ts';
export {
  type Change,
  changesOf,
  type GroupsOfList,
  type ImportStatus,
  isFailure,
  type MemberState,
  type Outcome,
} from './import/outcome.ts';
export { isUsed, mergeRepeated, RepeatedRows } from './import/repeated-rows.ts';
export { type ResultRow, resultColumns, toResultRow } from './import/result-rows.ts';
export { type KnownExportName, knownExport, knownExportNames } from './known/known-exports.ts';
export { missingStateHeadings } from './known/known-reading.ts';
export type {
  ListAnswers,
  ListQuestion,
  ListReading,
  OpenStatusWord,
  SiteOfList,
} from './reading/list-reading.ts';
export { listedTexts } from './reading/listed-values.ts';
export { type MemberDraft, maxGroupsPerRow, newDraft, readDraft } from './reading/member-draft.ts';
export { type MemberList, readMemberList, withHeadings } from './reading/member-list.ts';
export { type Reason, type RowProblem, rowProblems } from './reading/reasons.ts';
export { ListSurvey, type ProposedReading, unusedHeadings, usedColumns } from './reading/survey.ts';
export { EncodingDetector, type TextEncoding, textEncodings } from './text/encoding-detector.ts';
export type { OtherFileKind } from './text/file-kinds.ts';
export { decodeInTurns, decodeParts, decodeText } from './text/text-encoding.ts';
export { isUnknownCell } from './text/unknown-cells.ts';
export { addressIn, readAddress } from './values/addresses.ts';
export { groupNamesIn, joinGroupNames, type NamedGroup, splitGroupNames } from './values/group-names.ts';
export { separatorChoices } from './values/separators.ts';
export { foldWord, meaningOf, type StatusMeaning, statusMeanings } from './values/word-meanings.ts';
export { parsePaid } from './values/words.ts';
export { type DateOrder, dateOrders } from './values/written-times.ts';
