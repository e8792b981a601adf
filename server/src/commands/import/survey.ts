import { checkGroupName } from '../../access-groups/access-group.ts';
import { Refusal } from '../../base/refusal.ts';
import { CommandFailure } from '../failure.ts';
import { type PeopleFile, type PersonRow, readPeople } from '../people-file/people-file.ts';

/** Groups are kept in memory by name; more than this are no groups but something else in the wrong column. */
const mostGroups = 10_000;
const mostGroupsOfRow = 100;

/** What a look at every row tells, before anything is sent. */
export interface Survey {
  readonly rows: number;
  readonly groupNames: ReadonlySet<string>;
  /** Rows with an apostrophe that is taken away. */
  readonly neutralisedRows: number;
}

/** @throws CommandFailure for what is no sound CSV, and for names that no group can have */
export async function surveyPeople(file: PeopleFile, groupsOfAll: readonly string[]): Promise<Survey> {
  const groupNames = new Set(groupsOfAll);
  let [rows, neutralisedRows] = [0, 0];
  for await (const row of readImportRows(file, groupsOfAll)) {
    rows += 1;
    if (row.wasNeutralised) neutralisedRows += 1;
    if (row.problem === undefined) for (const name of row.groups) groupNames.add(name);
    if (groupNames.size > mostGroups) {
      throw new CommandFailure(
        'too_many_groups',
        `The column of groups has more than ${mostGroups} different names. Choose another with --map "groups=<heading>".`,
      );
    }
  }
  for (const name of groupNames) requireGroupName(name);
  return { rows, groupNames, neutralisedRows };
}

/** The rows of a file, each with the groups that all are added to. */
export async function* readImportRows(
  file: PeopleFile,
  groupsOfAll: readonly string[],
): AsyncGenerator<PersonRow, void, undefined> {
  for await (const row of readPeople(file)) {
    const groups = [...new Set([...row.groups, ...groupsOfAll])];
    if (groups.length <= mostGroupsOfRow || row.problem) yield { ...row, groups };
    else {
      const message = `Name at most ${mostGroupsOfRow} groups in a row.`;
      yield { ...row, groups: [], problem: { code: 'too_many_groups', message } };
    }
  }
}

function requireGroupName(name: string): void {
  try {
    checkGroupName(name);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw new CommandFailure(
      'invalid_group_name',
      `No group can be called "${name.slice(0, 120)}": a name has 1 to 100 characters on one line. Correct the file.`,
    );
  }
}
