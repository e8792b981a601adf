/** The fields of a member in a list, named as the columns of exports. */
export const fields = [
  'email',
  'displayName',
  'lastName',
  'paid',
  'status',
  'groups',
  'groupsEndAt',
  'registeredAt',
] as const;
export type Field = (typeof fields)[number];

/** The column index of each field, from 0; null for none. */
export type Columns = Readonly<Record<Field, number | null>>;

export const noColumns: Columns = {
  email: null,
  displayName: null,
  lastName: null,
  paid: null,
  status: null,
  groups: null,
  groupsEndAt: null,
  registeredAt: null,
};

/** Unambiguous aliases of the fields, in the form of `simplified`. */
const aliases: Readonly<Record<Field, readonly string[]>> = {
  email: ['mail', 'emailaddress', 'mailaddress'],
  displayName: ['name', 'fullname', 'membername'],
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
  displayName: /^(display ?name|name|full ?name|first ?name|vorname|pr[ée]nom|nombre|nom\b|名前|氏名)/i,
  lastName: /^(last ?name|surname|family ?name|nachname|nom de famille|apellidos?|姓)/i,
  paid: /^(paid|paying|bezahlt|zahlend|pay[ée]|pagado|pagando|有料)/i,
  status: null,
  groups: /^(gruppen?|zug(riff|ang)sgruppen?|groupes?|grupos?|グループ|アクセスグループ)$/i,
  groupsEndAt: /^(gruppenende|ende der gruppen?|fin des groupes?|fin de los grupos|グループの終了日?)$/i,
  registeredAt:
    /^(mitglied seit|beigetreten|beitritt|registriert|membre depuis|inscrite?|inscription|miembro desde|inscripci[óo]n|fecha de alta|登録日|入会日)/i,
};

/** The columns that a file of failed rows adds. */
export const failureColumns = ['error_line', 'error_code', 'error_message'] as const;
/** The other columns of exports and files of failed rows, which an import ignores. */
const otherColumns = new Set(
  [...failureColumns, 'id', 'verified', 'lastLoginAt', 'createdAt'].map((heading) => simplified(heading)),
);

export interface FoundColumns {
  readonly columns: Columns;
  /** The fields that match several headings, with these headings; the first one is used. */
  readonly ambiguous: ReadonlyMap<Field, readonly string[]>;
}

/**
 * Finds the columns by their headings: the name of the field takes precedence over its aliases, and aliases over
 * similar names.
 * @param chosen columns that the user has already chosen
 */
export function findColumns(headings: readonly string[], chosen: Partial<Columns> = {}): FoundColumns {
  const columns: Record<Field, number | null> = { ...noColumns, ...chosen };
  const ambiguous = new Map<Field, readonly string[]>();
  const matches: ((heading: string, field: Field) => boolean)[] = [
    (heading, field) => simplified(heading) === simplified(field),
    (heading, field) => aliases[field].includes(simplified(heading)),
    (heading, field) => otherNames[field]?.test(heading.trim()) ?? false,
  ];
  for (const isField of matches) {
    for (const field of fields) {
      if (columns[field] !== null) continue;
      const taken = new Set(Object.values(columns));
      const found = [...headings.keys()].filter(
        (column) => !taken.has(column) && !isOther(headings[column]!) && isField(headings[column]!, field),
      );
      if (found.length > 1)
        ambiguous.set(
          field,
          found.map((column) => headings[column]!),
        );
      columns[field] = found[0] ?? null;
    }
  }
  return { columns, ambiguous };
}

/** The headings of the columns that an import does not know. */
export function unknownHeadings(headings: readonly string[], columns: Columns): string[] {
  const taken = new Set(Object.values(columns));
  return headings
    .filter((heading, column) => heading.trim() !== '' && !taken.has(column) && !isOther(heading))
    .map((heading) => heading.trim());
}

export function isFailureColumn(heading: string): boolean {
  return (failureColumns as readonly string[]).includes(heading.trim());
}

/** The normalized form of a heading: `E-Mail`, `e_mail` and `Email` are the same. */
export function simplified(heading: string): string {
  return heading
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[\s\-_.]/g, '');
}

function isOther(heading: string): boolean {
  return otherColumns.has(simplified(heading));
}
