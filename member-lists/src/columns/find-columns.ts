import { type Columns, type Field, fields, noColumns } from './fields.ts';
import { isIgnored, simplified } from './headings.ts';

/** Unambiguous aliases of the fields, in the form of `simplified`. */
const aliases: Readonly<Record<Field, readonly string[]>> = {
  email: ['mail', 'emailaddress', 'mailaddress'],
  displayName: ['name', 'fullname', 'membername'],
  firstName: [],
  lastName: [],
  paid: ['paying', 'ispaid', 'payingmember', 'payingcustomer'],
  status: ['memberstatus'],
  groups: ['group', 'accessgroup', 'accessgroups'],
  groupsEndAt: ['groupendsat', 'groupsend', 'groupends', 'membershipendsat'],
  registeredAt: ['registered', 'joined', 'joinedat', 'membersince'],
};

/** Other common names of the fields, in the languages of the dashboard. */
const otherNames: Readonly<Record<Field, RegExp | null>> = {
  email: /^(e-?mail|mail|adresse|correo|courriel|メール)/i,
  displayName: /^(display[ _]?name|name|full[ _]?name|nom\b|名前|氏名)/i,
  firstName: /^((first|given)[ _]?name|vorname|pr[ée]nom|nombre|名$)/i,
  lastName: /^((last|family)[ _]?name|surname|nachname|familienname|nom de famille|apellidos?|姓$)/i,
  paid: /^(paid|paying|bezahlt|zahlend|pay[ée]|pagado|pagando|有料)/i,
  status: null,
  groups: /^(gruppen?|zug(riff|ang)sgruppen?|groupes?|grupos?|グループ|アクセスグループ)$/i,
  groupsEndAt: /^(gruppenende|ende der gruppen?|fin des groupes?|fin de los grupos|グループの終了日?)$/i,
  registeredAt:
    /^(mitglied seit|beigetreten|beitritt|registriert|membre depuis|inscrite?|inscription|miembro desde|inscripci[óo]n|fecha de alta|登録日|入会日)/i,
};

export interface FoundColumns {
  readonly columns: Columns;
  /** The fields that match several headings, with these columns; the first one is used. */
  readonly ambiguous: ReadonlyMap<Field, readonly number[]>;
}

/**
 * Finds the columns by their headings: the name of the field takes precedence over its aliases, and aliases over
 * similar names.
 * @param chosen columns that somebody has already chosen; null for none
 */
export function findColumns(headings: readonly string[], chosen: Partial<Columns> = {}): FoundColumns {
  const columns: Record<Field, number | null> = { ...noColumns, ...chosen };
  const isOpen = (field: Field) => columns[field] === null && chosen[field] !== null;
  const ambiguous = new Map<Field, readonly number[]>();
  const matches: ((heading: string, field: Field) => boolean)[] = [
    (heading, field) => simplified(heading) === simplified(field),
    (heading, field) => aliases[field].includes(simplified(heading)),
    (heading, field) => otherNames[field]?.test(heading.trim()) ?? false,
  ];
  for (const isField of matches) {
    for (const field of fields) {
      if (!isOpen(field)) continue;
      const taken = new Set(Object.values(columns));
      const found = [...headings.keys()].filter(
        (column) => !taken.has(column) && !isIgnored(headings[column]!) && isField(headings[column]!, field),
      );
      if (found.length > 1) ambiguous.set(field, found);
      columns[field] = found[0] ?? null;
    }
  }
  return { columns, ambiguous };
}
