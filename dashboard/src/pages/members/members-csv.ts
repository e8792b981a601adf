import { type ExportedMember, exportColumns, toExportRow } from '@gatehouse/member-lists';
import { toCsv } from '../../format/csv.ts';

/** A CSV file of members, which can also be imported again. */
export function membersToCsv(members: readonly ExportedMember[], timeZone: string): Blob {
  const rows = members.map((member) => toExportRow(member, timeZone));
  return toCsv(exportColumns, rows);
}
