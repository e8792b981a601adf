import type { ListedPerson, UploadedPart } from '@gatehouse/contract';
import { maxListPartPeople } from '@gatehouse/contract/limits';
import { displayNameProblem } from '@gatehouse/contract/names';
import { CommandFailure, WrongUsage } from '../../app/failure.ts';
import { newId } from '../../base/ids.ts';
import type { Addition, Calls } from '../api/addition.ts';
import { inputFile } from '../installed/named-files.ts';
import { gather } from '../shared/add-command.ts';
import { addWaitOption, runText, waitForEnd } from './synchronization.ts';

const maxShown = 10;

/** The whole list of a collection from a CSV file, in as many parts as it needs. */
export const fileUpload: Addition = {
  addOptions: (command) =>
    void addWaitOption(
      command
        .option(
          '--csv <people.csv>',
          'everybody in the collection, as a CSV file with the columns email and displayName',
          inputFile,
        )
        .option('--map <field=heading>', 'the heading of a column: "email=E-mail,displayName=Name"', gather),
    ),
  isWhole: ({ csv }) => csv !== undefined,
  fieldsOf: async (call, fields: object) => {
    const { csv, map = [] } = call.options;
    if (csv === undefined) return {};
    if ('people' in fields) throw new WrongUsage('Use either --csv or --people.');
    return uploadAllButLast(await readPeople(csv, map), call, fields);
  },
  after: async (uploaded: UploadedPart, call) =>
    uploaded.run && call.options.wait ? waitForEnd(uploaded.run, call) : uploaded,
  text: async (result, call) => ('collections' in result ? runText(result, call) : undefined),
};

/** Uploads the parts before the last one, which the command itself uploads. */
async function uploadAllButLast(
  people: readonly ListedPerson[],
  { api, params }: Calls,
  fields: object,
): Promise<object> {
  const list = newId();
  const last = Math.max(0, Math.ceil(people.length / maxListPartPeople) - 1);
  const bodyOf = (part: number) => ({
    ...fields,
    list,
    part,
    people: people.slice(part * maxListPartPeople, (part + 1) * maxListPartPeople),
    complete: part === last,
  });
  for (let part = 0; part < last; part += 1)
    await api.send('uploadCollectionPeople', { params, body: bodyOf(part) });
  return bodyOf(last);
}

/** Every row of a source counts: skipping an invalid row would remove its member from the group. */
async function readPeople(path: string, map: readonly string[]): Promise<ListedPerson[]> {
  // Only here, because most calls upload people as JSON, or print the help.
  const { openListFile, readDrafts } = await import('../lists/list-file.ts');
  const { parseMapping, readingBy } = await import('../lists/column-mapping.ts');
  const surveyed = await openListFile(path);
  const file = { ...surveyed, reading: readingBy(surveyed.survey, parseMapping(map)) };
  const people: ListedPerson[] = [];
  const problems: string[] = [];
  for await (const { line, email, address, displayName } of readDrafts(file)) {
    const problem = displayNameProblem(displayName ?? null);
    if (address === null) problems.push(`row ${line}: "${email}" is not an email address`);
    else if (problem !== undefined) problems.push(`row ${line}: ${problem}`);
    else people.push(displayName === undefined ? { email } : { email, displayName });
  }
  if (problems.length === 0) return people;
  const more = problems.length > maxShown ? `; and ${problems.length - maxShown} more` : '';
  throw new CommandFailure(
    'invalid_rows',
    `Nothing was changed. Correct the file first: ${problems.slice(0, maxShown).join('; ')}${more}.`,
  );
}
