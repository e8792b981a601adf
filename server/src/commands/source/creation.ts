import type { CreateSource, Source } from '@gatehouse/client';
import { isList, sourceTypeNames, sourceTypes } from '@gatehouse/contract/source-types';
import { type Command, Option } from 'commander';
import { addCommand } from '../shared/add-command.ts';
import { addConnectionOptions, type ConnectionOptions, connect } from '../shared/connection.ts';
import { addOldSpelling } from '../shared/old-spelling.ts';
import { argument, print } from '../shared/output.ts';
import { addSecretOptions, readSecret, requireSecret, type SecretOptions } from './secret.ts';

interface CreateOptions extends ConnectionOptions, SecretOptions {
  readonly type: CreateSource['type'];
}

export function addCreateCommand(source: Command): void {
  const command = addCommand(source, 'create <name>', 'connect a workspace', [
    'source create Team --type notion --secret-file token.txt',
    'source create Members --type list --secret-file url.txt',
  ]).addOption(
    new Option(
      '--type <type>',
      sourceTypeNames.map((type) => `${type}: ${sourceTypes[type].description}`).join('; '),
    )
      .choices(sourceTypeNames)
      .makeOptionMandatory(),
  );
  addOldSpelling(command, '--kind', '--type');
  addSecretOptions(addConnectionOptions(command))
    .addHelpText('after', '\nNothing is synchronized until collections are chosen and the source is enabled.')
    .action(create);
}

async function create(name: string, { type, ...options }: CreateOptions): Promise<void> {
  const secret = await readSecret(type, options);
  requireSecret(type, secret);
  const { gatehouse } = await connect(options);
  const source = await gatehouse.sources.create({ type, name, ...secret });
  print(options.json, source, `Created the source "${source.name}". ${nextStep(source)}`);
}

function nextStep({ type, name, id }: Source): string {
  if (type === 'program')
    return `A program can now upload lists to it (docs/guides/own-program.md). Its ID is ${id}.`;
  return isList(type)
    ? `Choose its columns: ./gatehouse source choose ${argument(name)}`
    : `See its collections: ./gatehouse source collections ${argument(name)}`;
}
