import type { Definition, Definitions } from './setting-definition.ts';
import { settingGroups } from './setting-definitions.ts';

const start = '<!-- `npm run settings` writes the tables from the definitions of the settings. -->';
const end = '<!-- The end of the tables. -->';

/** docs/settings.md with the tables of the settings as they are defined. */
export function withSettingTables(document: string): string {
  const [before, after] = [document.indexOf(start), document.indexOf(end)];
  if (before < 0 || after < before) throw new Error(`The document lacks ${start} or ${end}`);
  const tables = Object.entries(settingGroups).map(([title, group]) => tableOf(title, group));
  return `${document.slice(0, before)}${start}\n\n${tables.join('\n')}\n${document.slice(after)}`;
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
  const { about, details, option } = definition;
  const ofServe = option && `Option of [serve](command-line.md#serve): \`${option}\``;
  const text = [about, details, ofServe].filter((each) => each !== undefined).join('. ');
  return `| \`${name}\` | ${shownDefault(definition)} | ${text} |\n`;
}

function shownDefault({ default: value, shownDefault }: Definition): string {
  if (shownDefault !== undefined) return shownDefault;
  return value === undefined || Array.isArray(value) ? 'none' : `\`${value}\``;
}
