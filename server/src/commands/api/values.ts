/** A value as people read it: a resource by its name, another object by its fields. */
export function valueText(value: unknown): string {
  if (value === null || value === undefined || value === '') return '-';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return value.map(valueText).join(', ') || '-';
  if (typeof value !== 'object') return String(value);
  return nameOf(value) ?? fieldsText(value);
}

/**
 * The fields of an object that are not empty: `reason: logged_out`, and an object in it as it is. IDs, which say least,
 * are at the end.
 */
export function fieldsText(value: object): string {
  const fields = Object.entries(value).filter(([, field]) => valueText(field) !== '-');
  return [...fields.filter(([name]) => !isId(name)), ...fields.filter(([name]) => isId(name))]
    .map(([name, field]) => (isObject(field) ? valueText(field) : `${headingOf(name)}: ${valueText(field)}`))
    .join(', ');
}

function isId(name: string): boolean {
  return /(?:^i|I)ds?$/.test(name);
}

function isObject(value: unknown): boolean {
  return typeof (Array.isArray(value) ? value[0] : value) === 'object';
}

/** Of a change, what has become of what. */
function nameOf(value: object): string | undefined {
  const { name, email, slug, field, from, to } = value as Readonly<Record<string, unknown>>;
  // The values of a secret are not recorded.
  if (typeof field === 'string' && from === null && to === null) return headingOf(field);
  if (typeof field === 'string') return `${headingOf(field)} ${valueText(from)} → ${valueText(to)}`;
  return [name, email, slug].find((each) => typeof each === 'string');
}

/** `lastLoginAt` as `last login`, `groupIds` as `group IDs`. */
export function headingOf(property: string): string {
  const known: Record<string, string> = {
    displayName: 'name',
    last4: 'last 4',
    memberCount: 'members',
    pathPrefix: 'path',
  };
  return (
    known[property] ??
    property
      .replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
      .replace(/ at$/, '')
      .replace(/\b(id|url)(?=s?$)/, (word) => word.toUpperCase())
  );
}
