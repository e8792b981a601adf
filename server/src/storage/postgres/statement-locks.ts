import type { MigrationStep } from '../database.ts';
import { splitAtCommas, statementsOf } from '../sql/sql-script.ts';

/**
 * How a part of a migration locks the tables that requests use: not at all, for a moment, for as long as it takes
 * without blocking writes (`scan`), or so that writes of the same rows, all writes, or reads and writes wait until it is
 * finished.
 */
export type Lock = 'none' | 'moment' | 'scan' | 'rows' | 'writes' | 'all';

export interface Effect {
  /** As in "adds the column paid to members". */
  readonly action: string;
  readonly lock: Lock;
  /** The locked tables. */
  readonly tables: readonly string[];
  /** What to write instead, where others would have to wait or the effect is not known. */
  readonly advice?: string;
}

/** What the steps of a migration do, in their order: later ones depend on what earlier ones have created or checked. */
export function effectsOf(steps: readonly MigrationStep[]): Effect[][] {
  const known: Known = { newTables: new Set(), notNullChecks: new Map(), notNull: new Set() };
  return steps.map((step) => {
    if (step.kind === 'concurrently') return [concurrentEffect(step.script)];
    if (step.kind === 'batches')
      return [{ action: `changes rows of ${step.table} in steps`, lock: 'none', tables: [] }];
    return statementsOf(step.script).flatMap((statement) => effectsOfStatement(statement, known));
  });
}

/** A step in one line, such as "adds the column paid to members". */
export function describeStep(steps: readonly MigrationStep[], index: number): string {
  const actions = [...new Set(effectsOf(steps)[index]!.map(({ action }) => action))];
  const more = actions.length > 3 ? [`and ${actions.length - 2} more`] : [];
  return [...actions.slice(0, more.length > 0 ? 2 : 3), ...more].join('; ');
}

/** What earlier statements of the same migration have done. */
interface Known {
  /** No one uses these yet. */
  readonly newTables: Set<string>;
  /** The checks that a column is not null, which are not validated yet, by their names. */
  readonly notNullChecks: Map<string, string>;
  /** The columns, as in `members.paid`, in which a validated check allows no null. */
  readonly notNull: Set<string>;
}

function concurrentEffect(statement: string): Effect {
  const [, unique = '', index, table] =
    /^CREATE (UNIQUE )?INDEX CONCURRENTLY (\w+) ON (?:ONLY )?(\w+)/i.exec(statement) ?? [];
  if (index === undefined) return { action: droppedIndex(statement), lock: 'none', tables: [] };
  const kind = unique === '' ? 'index' : 'unique index';
  return { action: `builds the ${kind} ${index} on ${table}`, lock: 'scan', tables: [table!] };
}

function effectsOfStatement(statement: string, known: Known): Effect[] {
  const [, altered, actions] = /^ALTER TABLE (?:IF EXISTS )?(?:ONLY )?(\w+) (.*)$/is.exec(statement) ?? [];
  if (altered !== undefined)
    return splitAtCommas(actions!).map((action) => effectOfAlter(altered, action, known));
  for (const [form, effect] of statementForms) {
    const match = form.exec(statement);
    if (match) return [effect(match, known)];
  }
  return [unknown(statement)];
}

type Form = readonly [RegExp, (match: RegExpExecArray, known: Known) => Effect];

const statementForms: readonly Form[] = [
  [/^SELECT 1$/i, () => ({ action: 'changes nothing', lock: 'none', tables: [] })],
  [/^CREATE TABLE (?:IF NOT EXISTS )?(\w+) /i, newTable],
  [/^CREATE (?:UNIQUE )?INDEX (?:IF NOT EXISTS )?(\w+) ON (?:ONLY )?(\w+)/i, newIndex],
  [
    /^DROP INDEX (?!CONCURRENTLY)/i,
    ({ input }) => ({ action: droppedIndex(input), lock: 'moment', tables: [] }),
  ],
  [/^DROP TABLE (?:IF EXISTS )?(\w+)$/i, ([, table]) => moment(`drops the table ${table}`, table!)],
  [
    /^(?:CREATE EXTENSION|COMMENT ON|ALTER INDEX \w+ RENAME) /i,
    ({ input }) => ({ action: `runs "${input}"`, lock: 'none', tables: [] }),
  ],
  [/^(?:INSERT INTO|UPDATE|DELETE FROM) (?:ONLY )?(\w+)/i, changedRows],
];

function newTable({ 1: table, input }: RegExpExecArray, { newTables }: Known): Effect {
  newTables.add(table!);
  const references = [...input.matchAll(/\bREFERENCES (\w+)/gi)].map(([, other]) => other!);
  const tables = [...new Set(references)].filter((other) => !newTables.has(other));
  return { action: `creates the table ${table}`, lock: tables.length === 0 ? 'none' : 'moment', tables };
}

function newIndex([, index, table]: RegExpExecArray, { newTables }: Known): Effect {
  const action = `builds the index ${index} on ${table}`;
  if (newTables.has(table!)) return { action, lock: 'none', tables: [] };
  const advice =
    'Write CREATE INDEX CONCURRENTLY in a step of its own, after a line "-- step: concurrently".';
  return { action, lock: 'writes', tables: [table!], advice };
}

function changedRows({ 1: table, input }: RegExpExecArray, { newTables }: Known): Effect {
  const action = `changes rows of ${table} in one transaction`;
  if (newTables.has(table!) && !/ FROM /i.test(input)) return { action, lock: 'none', tables: [] };
  const advice =
    'Change the rows in short transactions: with ":batch" in the condition, after a line such as "-- step: batches of ' +
    'members by site_id, id".';
  return { action, lock: 'rows', tables: [table!], advice };
}

function effectOfAlter(table: string, action: string, known: Known): Effect {
  if (known.newTables.has(table)) return { action: `creates the table ${table}`, lock: 'none', tables: [] };
  for (const [form, effect] of alterForms) {
    const match = form.exec(action);
    if (match) return effect(table, match, known);
  }
  return unknown(`ALTER TABLE ${table} ${action}`);
}

type AlterForm = readonly [RegExp, (table: string, match: RegExpExecArray, known: Known) => Effect];

const alterForms: readonly AlterForm[] = [
  [/^ADD CONSTRAINT (\w+) (.*)$/is, addedConstraint],
  [/^VALIDATE CONSTRAINT (\w+)$/i, validatedConstraint],
  [/^ADD (?:COLUMN )?(?:IF NOT EXISTS )?(?!PRIMARY|UNIQUE|CHECK|FOREIGN|EXCLUDE)(\w+) (.*)$/is, addedColumn],
  [/^ALTER (?:COLUMN )?(\w+) SET NOT NULL$/i, setNotNull],
  [/^ALTER (?:COLUMN )?(\w+) (?:SET DATA )?TYPE /i, changedType],
  [
    /^(?:ALTER (?:COLUMN )?\w+ (?:SET DEFAULT .*|DROP DEFAULT|DROP NOT NULL|SET STATISTICS \d+)|(?:DROP|RENAME) .*|(?:SET|RESET) \(.*\))$/is,
    (table, [text]) => moment(`changes ${table}: "${text}"`, table),
  ],
];

const newColumnAdvice =
  'Add a new column that may be null, fill it in steps after a line "-- step: batches of …", and check it with a ' +
  'constraint that is added as NOT VALID and validated in a step of its own.';

function addedColumn(table: string, [, column, definition]: RegExpExecArray): Effect {
  const action = `adds the column ${column} to ${table}`;
  const withoutDefault = definition!.replace(constantDefault, ' ');
  const hasDefault = withoutDefault !== definition;
  const takesLong =
    /\b(?:DEFAULT|GENERATED|\w*SERIAL|PRIMARY|UNIQUE|REFERENCES|CHECK)\b/i.test(withoutDefault) ||
    (/\bNOT NULL\b/i.test(withoutDefault) && !hasDefault);
  return takesLong
    ? { action, lock: 'all', tables: [table], advice: newColumnAdvice }
    : moment(action, table);
}

/** A default that PostgreSQL stores once for all rows. */
const constantDefault =
  /\bDEFAULT (?:'(?:[^']|'')*'(?:::\w+(?:\[\])?)?|-?\d[\d.]*|true|false|null|now\(\)|current_timestamp)(?=\s|$)/i;

function addedConstraint(
  table: string,
  [, name, definition]: RegExpExecArray,
  { notNullChecks }: Known,
): Effect {
  const action = `adds the constraint ${name} to ${table}`;
  const [, column] = /^CHECK \((\w+) IS NOT NULL\) NOT VALID$/i.exec(definition!) ?? [];
  if (column !== undefined) notNullChecks.set(`${table}.${name}`, `${table}.${column}`);
  const [, other] = /\bREFERENCES (\w+)/i.exec(definition!) ?? [];
  const tables = other === undefined ? [table] : [table, other];
  if (/ NOT VALID$/i.test(definition!)) return { action, lock: 'moment', tables };
  if (/^(?:UNIQUE|PRIMARY KEY) USING INDEX \w+$/i.test(definition!)) return moment(action, table);
  const advice = /^(?:UNIQUE|PRIMARY)/i.test(definition!)
    ? 'Build the unique index first, with CREATE UNIQUE INDEX CONCURRENTLY in a step of its own, and add the constraint ' +
      'USING INDEX.'
    : 'Add the constraint as NOT VALID, and validate it in a step of its own with ALTER TABLE … VALIDATE CONSTRAINT.';
  return { action, lock: 'all', tables, advice };
}

function validatedConstraint(table: string, [, name]: RegExpExecArray, known: Known): Effect {
  const column = known.notNullChecks.get(`${table}.${name}`);
  if (column !== undefined) known.notNull.add(column);
  return { action: `checks the rows of ${table} with the constraint ${name}`, lock: 'scan', tables: [table] };
}

function setNotNull(table: string, [, column]: RegExpExecArray, { notNull }: Known): Effect {
  const action = `forbids null in ${table}.${column}`;
  if (notNull.has(`${table}.${column}`)) return moment(action, table);
  const advice =
    `First add CHECK (${column} IS NOT NULL) NOT VALID as a constraint, and validate it in a step of its own: then ` +
    'PostgreSQL does not read the rows again.';
  return { action, lock: 'all', tables: [table], advice };
}

function changedType(table: string, [, column]: RegExpExecArray): Effect {
  const action = `writes ${table} anew to change the type of ${column}`;
  return { action, lock: 'all', tables: [table], advice: newColumnAdvice };
}

function moment(action: string, table: string): Effect {
  return { action, lock: 'moment', tables: [table] };
}

function unknown(statement: string): Effect {
  const text = statement.length > 80 ? `${statement.slice(0, 80)}…` : statement;
  const advice = `What this locks is not known: ${text}. Use another form, or add this one to statement-locks.ts.`;
  return { action: `runs "${text}"`, lock: 'all', tables: [], advice };
}

function droppedIndex(statement: string): string {
  return `drops the index ${statement.split(' ').at(-1)}`;
}
