import { type Field, fields, textEncodings } from '@gatehouse/member-lists';
import { type Command, Option } from 'commander';
import { inputFile, outputFile } from '../installed/named-files.ts';
import { addAnswerOptions } from '../lists/answers.ts';
import { addCommand, gather, groupOf } from '../shared/add-command.ts';
import { addConnectionOptions } from '../shared/where-options.ts';

const fieldHints: Readonly<Record<Field, string>> = {
  email: 'one email address; required',
  displayName: 'the whole name',
  firstName: 'joined with lastName',
  lastName: 'joined with firstName',
  paid: 'whether the member is paying: yes, no, true, false, 1 or 0',
  status: 'active or blocked',
  groups: 'names of access groups, separated by ";"',
  groupsEndAt: 'one last day or time for all groups, or one for each in the same order',
  registeredAt: 'a day or time in the past, for new members',
};

const explanation = `
The columns are found by their headings and by what is below them, and exports of known systems are recognized. The
report begins with how the list is read. What the list leaves open is asked before anything is changed, with the options
that answer it: exit code 2. With --yes, the rows that need an answer fail instead, and the others are imported.

The fields, with days of the time zone of the site:
${fields.map((field) => `  ${field.padEnd(14)}${fieldHints[field]}`).join('\n')}

A member that already exists is not changed, except for groups: missing groups are added, and the end of each membership
is set to the value in the file. Other values than those of the member are a conflict, and the row fails; with --update,
the name and paid follow the list. Empty cells are ignored. You can repeat an import at any time, and importing an export
again changes nothing. Several rows with one email address and one name are one member, with the groups of all of them.

Ctrl-C stops after the current request. The progress of the import is stored in
<people.csv>.gatehouse-progress; the same command continues from there and removes that file when it is done.`;

export function addMemberImportCommand(program: Command): void {
  const members = groupOf(program, 'members', 'import and export the members of a site');
  const command = addCommand(members, 'import <people.csv>', 'create members from a CSV file of any size', [
    'members import people.csv --dry-run',
    'members import people.csv --groups "Course 2026" --create-groups --failed failed.csv',
    'members import people.csv --map groups=Tier --status "former=left-out" --update --result result.csv',
  ]);
  command.registeredArguments[0]!.argParser(inputFile);
  addConnectionOptions(command)
    .option('--dry-run', 'show the changes without making them')
    .option('--yes', 'import also if something is open; the rows that need an answer fail')
    .option('--update', 'change names and who is paying of members who exist to what the list says')
    .option('--groups <names>', 'also add all members to these groups, separated by ";"', gather)
    .option('--create-groups', 'create missing groups')
    .option(
      '--failed <file>',
      'write failed rows to this file, to be corrected and imported again',
      outputFile,
    )
    .option('--result <file>', 'write what was done with each row to this CSV file', outputFile)
    .option(
      '--map <field=heading>',
      'the heading of a column: "email=E-mail,displayName=Name"; several for groups; "paid=" for none',
      gather,
    );
  addAnswerOptions(command)
    .addOption(
      new Option('--encoding <name>', 'the encoding of the file, if it is not recognized').choices([
        ...textEncodings,
      ]),
    )
    .option('--raw', 'use every cell unchanged, for a file exported with --raw')
    .addHelpText('after', explanation)
    .action(async (path, options) => (await import('./import-members.ts')).importMembers(path, options));
}
