import { type ExportedMember, exportColumns, toExportRow } from '@gatehouse/member-lists';
import { toCsv } from '../../format/csv.ts';

/** A CSV file of members, which can also be imported again. */
export function membersToCsv(members: readonly ExportedMember[]): Blob {
  return toCsv(exportColumns, members.map(toExportRow));
}
