import { text } from 'node:stream/consumers';
import type { CreateSource, UpdateSource } from '@gatehouse/contract';
import { type SourceType, sourceTypes } from '@gatehouse/contract/source-types';
import type { Command } from 'commander';
import { CommandFailure, WrongUsage } from '../../app/failure.ts';
import type { Addition } from '../api/addition.ts';
import { inputFile, readInput } from '../installed/named-files.ts';
import { findSource } from './named-source.ts';

export const connectionOfNew: Addition = {
  addOptions: addSecretOptions,
  fieldsOf: async ({ options }, { type, token, address }: CreateSource) => {
    if (token !== undefined) return {};
    const secret = await readSecret(type, { address, secretFile: options.secretFile });
    requireSecret(type, secret);
    return secret;
  },
};

export const connectionOfKnown: Addition = {
  addOptions: addSecretOptions,
  fieldsOf: async ({ options, api, params }, { address }: UpdateSource) => {
    if (options.secretFile === undefined) return {};
    const { type } = await findSource(api, params.sourceId!);
    return readSecret(type, { address, secretFile: options.secretFile });
  },
};

/** How a source is read. Other users of a machine can see the options of a program, but not a file. */
interface SecretOptions {
  readonly address?: string | undefined;
  readonly secretFile?: string | undefined;
}

function addSecretOptions(command: Command): void {
  command.option(
    '--secret-file <file>',
    'a file that contains only the token of the workspace, or the URL; - for the standard input',
    inputFile,
  );
}

/**
 * The token or the address of a source; empty if no option is there.
 * @throws {WrongUsage} if this kind of source has no such option
 */
async function readSecret(
  type: SourceType,
  { address, secretFile }: SecretOptions,
): Promise<{ token?: string; address?: string }> {
  if (address === undefined && secretFile === undefined) return {};
  const { connectionField } = sourceTypes[type];
  if (connectionField === null)
    throw new WrongUsage('A program uploads the lists: leave out --address and --secret-file.');
  if (connectionField === 'token' && address !== undefined)
    throw new WrongUsage(
      `A source of the type ${type} is connected with a token. Use --secret-file instead of --address.`,
    );
  if (address !== undefined && secretFile !== undefined)
    throw new WrongUsage('Use either --address or --secret-file.');
  const secret = address ?? (await readSecretFile(secretFile!));
  return { [connectionField]: secret };
}

/** @throws {WrongUsage} if the source cannot be read without it */
function requireSecret(type: SourceType, secret: { token?: string; address?: string }): void {
  const { connectionField } = sourceTypes[type];
  if (connectionField !== null && secret[connectionField] === undefined)
    throw new WrongUsage(missing[connectionField]);
}

const missing = {
  token:
    'The token of the integration is missing. Write it into a file that only you can read, and use --secret-file ' +
    '<file>, or - for the standard input.',
  address:
    'The URL of the list is missing. Write it into a file that only you can read, and use --secret-file <file>, ' +
    'or - for the standard input. Other users of this machine can see --address.',
};

async function readSecretFile(file: string): Promise<string> {
  if (file === '-' && process.stdin.isTTY)
    process.stderr.write('Paste the token or the URL, then press Enter and Ctrl-D.\n');
  const content = file === '-' ? await text(process.stdin) : (await readInput(file)).toString();
  const secret = content.replace(/^\uFEFF/, '').trim();
  if (secret !== '' && !/\s/.test(secret)) return secret;
  const place = file === '-' ? 'The standard input' : file;
  throw new CommandFailure('invalid_secret', `${place} must contain the token or the URL, and nothing else.`);
}
