import { logFields, securityEvents } from '../../http/shared/observe/log-fields.ts';
import type { Definition, Definitions } from './setting-definition.ts';
import { settingGroups } from './setting-definitions.ts';

/** docs/settings.md, with the tables that the definitions of settings and of the log make. */
export function withTables(document: string): string {
  const groups = Object.entries(settingGroups).map(([title, group]) => tableOf(title, group));
  const events = Object.entries(securityEvents).map(([name, { about, fields }]) => {
    return `| \`${name}\` | ${about} | ${fields.map((field) => `\`${field}\``).join(', ')} |\n`;
  });
  const fields = Object.entries(logFields).map(([name, about]) => `| \`${name}\` | ${about} |\n`);
  return [
    ['settings', groups.join('\n')],
    ['fields', `| Field | |\n|---|---|\n${fields.join('')}`],
    ['security events', `| \`event\` | What happened | Other fields |\n|---|---|---|\n${events.join('')}`],
  ].reduce((text, [name, tables]) => withPart(text, name!, tables!), document);
}

/** Replaces what is between two comments, of which users see nothing. */
function withPart(document: string, name: string, tables: string): string {
  const [start, end] = [`<!-- ${name}: \`npm run settings\` writes this -->`, `<!-- end of ${name} -->`];
  const [before, after] = [document.indexOf(start), document.indexOf(end)];
  if (before < 0 || after < before) throw new Error(`The document lacks ${start} or ${end}`);
  return `${document.slice(0, before)}${start}\n\n${tables}\n${document.slice(after)}`;
}

/** A setting for the help on a terminal. */
export function plainDescription(definition: Definition): { readonly value: string; readonly about: string } {
  return { value: plainText(shownDefault(definition)), about: plainText(definition.about) };
}

function plainText(markdown: string): string {
  return markdown.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll('`', '');
}

function tableOf(title: string, group: Definitions): string {
  const rows = Object.entries(group).map(([name, definition]) => rowOf(name, definition));
  return `## ${title}\n\n| Name | Default | |\n|---|---|---|\n${rows.join('')}`;
}

function rowOf(name: string, definition: Definition): string {
  const { about, details, option, isSecret } = definition;
  const ofServe = option && `Option of [serve](command-line.md#serve): \`${option}\``;
  const file = isSecret ? `Or [a file](#secrets-in-files) that \`${name}_FILE\` names` : undefined;
  const text = [about, details, file, ofServe].filter((each) => each !== undefined).join('. ');
  return `| \`${name}\` | ${shownDefault(definition)} | ${text} |\n`;
}

function shownDefault({ default: value, shownDefault }: Definition): string {
  if (shownDefault !== undefined) return shownDefault;
  return value === undefined || Array.isArray(value) ? 'none' : `\`${value}\``;
}
