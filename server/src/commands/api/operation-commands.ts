import { type Operation, operations, type Tag, tags } from '@gatehouse/contract';
import type { Command } from 'commander';
import { groupOf } from '../shared/add-command.ts';
import { additionOf } from './additions.ts';
import { flagsOf, subjectOf } from './flags/flags.ts';
import { firstSentence } from './flags/schema.ts';
import type { Mode } from './mode.ts';
import { addCommandOf } from './operation-command.ts';
import { argumentName, commandOf } from './operation-names.ts';

/** The nouns whose tag is about more than they are. */
const aboutNouns: Readonly<Record<string, string>> = {
  'access-rules': 'the access rules for the paths of the site, and access checks',
  site: 'the site, its hosts, its settings and its signing keys',
  sessions: 'the verification of sessions for programs that serve pages themselves',
  overview: 'the numbers of the site',
  'login-methods': 'how many members use each way to log in',
  'event-groups': 'the events of the site, grouped by request',
  'members sessions': 'the browsers in which a member is logged in',
  'members access-tokens': 'the credentials of a member for programs',
  'members passkeys': 'the passkeys with which a member logs in without an email',
  'members identities': 'the accounts at login providers with which a member logs in',
  'members login-links': 'links that log a member in once',
  'access-groups members': 'the members of an access group',
  'access-groups memberships': 'the memberships of an access group, with their ends',
  'invitations redemptions': 'who has joined with an invitation',
  'sources collections': 'what the workspace of a source shows',
  'sources runs': 'the synchronizations of a source',
  'sources webhook': 'how a workspace reports changes at once',
  'site signing-keys': 'the keys that sign edge tokens and identity tokens',
  'webhooks deliveries': 'the attempts to send messages to a webhook',
};

const everyOperation = Object.values<Operation>(operations);

/** Adds the commands of the operations of one noun, or of all. */
export async function addOperationCommands(program: Command, noun: string | undefined, mode: Mode) {
  for (const operation of everyOperation)
    if (noun === undefined || commandOf(operation)[0] === noun) await addTo(program, operation, mode);
}

/** Adds the one command that some words begin with. Returns false if there is none. */
export async function addOperationCommand(
  program: Command,
  words: readonly string[],
  mode: Mode,
): Promise<boolean> {
  const called = everyOperation.find((operation) =>
    commandOf(operation).every((word, index) => words[index] === word),
  );
  if (called) await addTo(program, called, mode);
  return called !== undefined;
}

async function addTo(program: Command, operation: Operation, mode: Mode): Promise<void> {
  const words = commandOf(operation);
  const parent = words
    .slice(0, -1)
    .reduce((group, word, index) => groupOf(group, word, aboutOf(operation, index + 1)), program);
  const addition = await additionOf(operation.id);
  addCommandOf(parent, operation, { verb: words.at(-1)!, creation: creationFor(words), addition, mode });
}

function aboutOf(operation: Operation, length: number): string {
  const noun = commandOf(operation).slice(0, length).join(' ');
  return aboutNouns[noun] ?? firstSentence(tags[operation.tag as Tag]);
}

const creating = /^(?:create|invite|add|rotate)/;

/** The command that creates what a list shows, with what it requires. */
function creationFor(words: readonly string[]): string | undefined {
  const group = words.slice(0, -1).join(' ');
  const creation = everyOperation.find(
    (operation) => creating.test(operation.id) && commandOf(operation).slice(0, -1).join(' ') === group,
  );
  return creation && usageOf(creation);
}

/** A command with its arguments and the flags that it requires. */
export function usageOf(operation: Operation): string {
  const named = Object.keys(operation.params.properties).map((name) => `<${argumentName(name)}>`);
  const flags = flagsOf(operation);
  const subject = subjectOf(flags);
  if (subject) named.push(`<${subject.name}>`);
  const required = flags.filter((flag) => flag.isRequired && flag !== subject);
  return [...commandOf(operation), ...named, ...required.map(({ name, kind }) => `--${name} <${kind}>`)].join(
    ' ',
  );
}
