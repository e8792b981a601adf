import { isMark } from '../values/marks.ts';
import { parsePaid } from '../values/words.ts';
import type { ColumnContent } from './column-content.ts';
import { headingKey } from './headings.ts';

/** Headings of columns whose values are names of groups in another system. */
const groupLike = new RegExp(
  [
    'tags?$|labels?$|tiers?$|plans?$|plan(name|s)?$|categor(y|ies)|groups?$|segments?$|lists?$|teams?$|sections?$|roles?$|levels?$',
    'membership(type|level|plan|tier)?$|membertype|products?$|ticket(name|type)?s?$|cohorts?$|committees?$|departments?$|interests?$',
    'abteilung|sparte|gruppe|mannschaft|kategorie|schlagw|stichw|tarif|mitgliedsart|mitgliedstyp|mitgliedschaft$|beitragsgruppe|funktion|ressort',
    'groupe|equipe|categorie|etiquette|formule|typed(e)?adhe|typed(e)?membre|commission|pole$|niveau',
    'grupo|equipo|categoria|etiqueta|nivel|tipode(socio|miembro|membresia)|seccion|plan(de)?',
    'グループ|タグ|ラベル|カテゴリ|プラン|会員種別|会員区分|部門|部署|チーム|所属|役職|コース',
  ].join('|'),
);
/** Headings of yes and no that are about something else than belonging to a group. */
const otherMarks = new RegExp(
  [
    'mobil|phone|telefon|^tel|number|zip|plz|age$|alter$|edad|newsletter|email|mail|sms|opt|consent|gdpr|privacy|terms|agree|accept|verif|confirm|activ|aktiv|approv|enrol|enforc|suspend|block|delet|archiv|staged|moderator|admin|silenced|subscribed|unsub|follows|free|trial|paid|pay|gift|notif|private|visible|public|attend|check',
    'dsgvo|datenschutz|einwilligung|einverst|zugestimmt|akzeptiert|bestatigt|gesperrt|geloscht|bezahlt|beitrag|rechnung|sepa|lastschrift|mandat|spende|anzahl|privat|foto|austritt|gekundigt|werbung',
    'rgpd|consent|accepte|confirme|bloque|supprime|paye|cotisation|facture|nombrede|prive|droitimage',
    'rgpd|acepta|confirmado|bloqueado|eliminado|pagado|cuota|factura|privado|numerode',
    '同意|承認|確認|停止|退会|会費|支払|有料|メール|人数|公開',
  ].join('|'),
);
const maxNames = 100;
const maxNameLength = 60;
/** With fewer rows, a word need not be repeated. */
const minRows = 20;

/** The columns of a list that could be about groups. */
export interface GroupColumns {
  /** Columns whose values could be names of groups. */
  readonly nameColumns: readonly number[];
  /** Columns that could be named after a group. */
  readonly markColumns: readonly number[];
}

/**
 * Finds the columns that could be about groups.
 * @param columns those that have no other meaning
 */
export function findGroupColumns(
  columns: readonly number[],
  headings: readonly string[],
  contents: readonly ColumnContent[],
  groupNames: ReadonlySet<string>,
): GroupColumns {
  const isNamedAfterGroup = (column: number) => groupNames.has(headings[column]!.trim().normalize('NFC'));
  const markColumns = columns.filter(
    (column) => hasMarks(contents[column]!) && (isNamedAfterGroup(column) || couldBeGroup(headings[column]!)),
  );
  const nameColumns = columns.filter(
    (column) =>
      !markColumns.includes(column) &&
      groupLike.test(headingKey(headings[column]!)) &&
      hasNames(contents[column]!),
  );
  return { nameColumns, markColumns };
}

/** Whether all cells say yes or no, at least one of them yes. */
function hasMarks({ words }: ColumnContent): boolean {
  const cells = [...(words?.keys() ?? [])];
  return cells.every(isMark) && cells.some((cell) => parsePaid(cell) === true);
}

/** Whether few words are in many cells. Cells with several names have more different ones. */
function hasNames({ words, filled, examples, addresses, times }: ColumnContent): boolean {
  if (filled === 0 || addresses > 0 || times > 0) return false;
  const isNumber = (cell: string) => /^[\d.,\s]+$/.test(cell);
  if (examples.every((cell) => isMark(cell) || isNumber(cell))) return false;
  const names = new Set(examples.flatMap((cell) => cell.split(/[;,|/\n]|:::/)).map((name) => name.trim()));
  if ([...names].some((name) => name.length > maxNameLength)) return false;
  if (names.size > maxNames) return false;
  return words === undefined || filled < minRows || names.size < filled / 2;
}

function couldBeGroup(heading: string): boolean {
  const isName = /^\p{L}/u.test(heading) && heading.length <= maxNameLength && !/[_?:]/.test(heading);
  return isName && !/^Column \d+$/.test(heading) && !otherMarks.test(headingKey(heading));
}
