import { loadModule, parseSync } from 'libpg-query';
import { localTables, referenceTables } from '../../src/storage/postgres/citus/distribution-plan.ts';

/** What a statement does with the tables that Citus distributes. */
export interface StatementOnShards {
  /** Why the statement may run on more than one shard, or not at all; empty if it stays on that of one site. */
  readonly problems: readonly string[];
  /** The numbers of the parameters with which the statement names its site: `$1` is 1. */
  readonly siteParameters: readonly number[];
  /** The tables that it writes. */
  readonly written: readonly string[];
}

await loadModule();

// biome-ignore lint/suspicious/noExplicitAny: the parser describes its nodes only in words
type Node = any;

/**
 * Reads a statement as PostgreSQL does, and holds it against the rule for Citus: each distributed table of the
 * statement, in joins, subqueries and CTEs too, has its own `site_id = $n`; nothing is inserted from a query, no
 * function returns a set, no row moves to another site, and no row that every node has is locked.
 * @param setFunctions the names of the functions that return sets
 */
export function readOnShards(text: string, setFunctions: ReadonlySet<string>): StatementOnShards {
  const reader = new StatementReader(setFunctions);
  for (const { stmt } of parseSync(text).stmts as Node[]) reader.readQuery(stmt, new Set());
  const { problems, siteParameters, written } = reader;
  return { problems, siteParameters, written };
}

/** A table of a query, and the conditions that its rows have to meet. */
interface Source {
  readonly table: string;
  readonly alias: string;
  readonly conditions: readonly Node[];
}

class StatementReader {
  readonly problems: string[] = [];
  readonly siteParameters: number[] = [];
  readonly written: string[] = [];
  readonly #setFunctions: ReadonlySet<string>;

  constructor(setFunctions: ReadonlySet<string>) {
    this.#setFunctions = setFunctions;
  }

  /** @param names the CTEs that the query can read */
  readQuery(node: Node, names: ReadonlySet<string>): void {
    const [kind, query] = Object.entries<Node>(node)[0]!;
    const inner = this.#readCtes(query.withClause, names);
    if (kind === 'SelectStmt') this.#readSelect(query, inner);
    else if (kind === 'InsertStmt') this.#readInsert(query, inner);
    else if (kind === 'UpdateStmt') this.#readChange(query, query.fromClause, inner);
    else if (kind === 'DeleteStmt') this.#readChange(query, query.usingClause, inner);
    else this.problems.push(`${kind} is not read`);
  }

  #readCtes(clause: Node, names: ReadonlySet<string>): ReadonlySet<string> {
    const inner = new Set(names);
    for (const { CommonTableExpr: cte } of clause?.ctes ?? []) {
      this.readQuery(cte.ctequery, inner);
      inner.add(cte.ctename);
    }
    return inner;
  }

  #readSelect(select: Node, names: ReadonlySet<string>): void {
    if (select.op !== undefined && select.op !== 'SETOP_NONE') {
      this.readQuery({ SelectStmt: select.larg }, names);
      this.readQuery({ SelectStmt: select.rarg }, names);
      return;
    }
    const { fromClause, whereClause, withClause, lockingClause, ...rest } = select;
    const sources = this.#sourcesOf(fromClause, [whereClause], names);
    this.#requireSites(sources);
    if (lockingClause) this.#requireOwnRows(sources);
    this.#readExpressions([rest, whereClause], names);
  }

  #readInsert(insert: Node, names: ReadonlySet<string>): void {
    const { relation, cols, selectStmt, onConflictClause, returningList } = insert;
    const table: string = relation.relname;
    this.written.push(table);
    if (this.#isDistributed(table)) {
      const rows: Node[] = selectStmt?.SelectStmt.valuesLists ?? [];
      if (rows.length === 0) this.problems.push(`${table} is filled from a query`);
      if (cols?.[0]?.ResTarget.name !== 'site_id')
        this.problems.push(`${table} is filled without site_id first`);
      for (const row of rows) this.#requireParameter(row.List.items[0], `a row of ${table}`);
      this.#requireSameSite(table, onConflictClause?.targetList);
    }
    this.#readExpressions([selectStmt?.SelectStmt.valuesLists, onConflictClause, returningList], names);
    if (selectStmt && !selectStmt.SelectStmt.valuesLists) this.readQuery(selectStmt, names);
  }

  #readChange(change: Node, from: Node, names: ReadonlySet<string>): void {
    const { relation, whereClause, targetList, returningList } = change;
    this.written.push(relation.relname);
    const target = sourceOf(relation, [whereClause]);
    this.#requireSites([target, ...this.#sourcesOf(from, [whereClause], names)]);
    this.#requireSameSite(relation.relname, targetList);
    this.#readExpressions([targetList, whereClause, returningList], names);
  }

  /** The tables of FROM or USING. A condition of an outer join limits only the side that may be missing. */
  #sourcesOf(from: Node, conditions: readonly Node[], names: ReadonlySet<string>): Source[] {
    return [from ?? []].flat().flatMap((item: Node): Source[] => {
      const { RangeVar: table, JoinExpr: joined, RangeSubselect: subquery } = item;
      if (table) return names.has(table.relname) ? [] : [sourceOf(table, conditions)];
      if (joined) {
        this.#readExpressions([joined.quals], names);
        const within = [...conditions, joined.quals];
        const isOuter = joined.jointype !== 'JOIN_INNER';
        if (isOuter && joined.jointype !== 'JOIN_LEFT')
          this.problems.push(`a ${joined.jointype} is not read`);
        return [
          ...this.#sourcesOf(joined.larg, isOuter ? conditions : within, names),
          ...this.#sourcesOf(joined.rarg, within, names),
        ];
      }
      if (subquery) this.readQuery(subquery.subquery, names);
      else if (!callsCitus(item)) this.problems.push(`${Object.keys(item)[0]} in FROM`);
      return [];
    });
  }

  #requireSites(sources: readonly Source[]): void {
    for (const { table, alias, conditions } of sources) {
      if (!this.#isDistributed(table)) continue;
      const parameters = conditions
        .flatMap(conjunctsOf)
        .flatMap((condition) => siteParameterIn(condition, alias, sources.length === 1));
      this.siteParameters.push(...parameters);
      if (parameters.length === 0) this.problems.push(`${alias} is read without its own site_id`);
    }
    const stored = sources.map(({ table }) => (localTables.has(table) ? 'local' : 'on nodes'));
    if (new Set(stored).size > 1) this.problems.push('a local table is joined with others');
  }

  /** A lock on a row that every node has makes the changes of all other sites wait. */
  #requireOwnRows(sources: readonly Source[]): void {
    const shared = sources.filter(({ table }) => referenceTables.has(table)).map(({ table }) => table);
    this.problems.push(...shared.map((table) => `rows of ${table} are locked, which every node has`));
  }

  #requireParameter(value: Node, place: string): void {
    const number = parameterOf(value);
    if (number === undefined) this.problems.push(`${place} has no parameter for site_id`);
    else this.siteParameters.push(number);
  }

  #requireSameSite(table: string, assignments: Node): void {
    if ((assignments ?? []).some((each: Node) => each.ResTarget.name === 'site_id'))
      this.problems.push(`a row of ${table} gets another site_id`);
  }

  /** Reads the subqueries and functions in expressions. */
  #readExpressions(node: Node, names: ReadonlySet<string>): void {
    if (node === null || typeof node !== 'object') return;
    if (node.SubLink) {
      this.readQuery(node.SubLink.subselect, names);
      this.#readExpressions(node.SubLink.testexpr, names);
      return;
    }
    // Citus evaluates the comparison on the coordinator, where the value before WHEN is unknown.
    if (node.CaseExpr?.arg) this.problems.push('a CASE compares a value with parameters');
    const name = node.FuncCall?.funcname.at(-1).String.sval;
    if (this.#setFunctions.has(name)) this.problems.push(`${name}() returns a set`);
    for (const child of Object.values(node)) this.#readExpressions(child, names);
  }

  #isDistributed(table: string): boolean {
    return !referenceTables.has(table) && !localTables.has(table) && !/^(pg|information)_/.test(table);
  }
}

/** Whether an item of FROM is a function of Citus, such as one about its nodes: it reads no table of the service. */
function callsCitus({ RangeFunction: called }: Node): boolean {
  const [{ List: first }] = called?.functions ?? [{}];
  return first?.items[0].FuncCall?.funcname.at(-1).String.sval.startsWith('citus_') ?? false;
}

function sourceOf(table: Node, conditions: readonly Node[]): Source {
  return { table: table.relname, alias: table.alias?.aliasname ?? table.relname, conditions };
}

/** The conditions that all have to be true. */
function conjunctsOf(condition: Node): Node[] {
  if (condition?.BoolExpr?.boolop === 'AND_EXPR') return condition.BoolExpr.args.flatMap(conjunctsOf);
  return condition ? [condition] : [];
}

/** The number of the parameter in `alias.site_id = $n`. */
function siteParameterIn(condition: Node, alias: string, isOnly: boolean): number[] {
  const { A_Expr: comparison } = condition;
  if (comparison?.kind !== 'AEXPR_OP' || comparison.name[0].String.sval !== '=') return [];
  const fields: string[] = comparison.lexpr.ColumnRef?.fields.map((field: Node) => field.String?.sval) ?? [];
  const isSite = fields.at(-1) === 'site_id' && (fields.length === 1 ? isOnly : fields.at(-2) === alias);
  const number = parameterOf(comparison.rexpr);
  return isSite && number !== undefined ? [number] : [];
}

function parameterOf(value: Node): number | undefined {
  if (value?.TypeCast) return parameterOf(value.TypeCast.arg);
  return value?.ParamRef?.number;
}
