import path from 'node:path';
import { type Command, Option } from 'commander';
import { allowsSample, sampleFolder } from '../../app/built-in-site.ts';
import { givenOptions, type SettingOptions } from '../../app/settings/given-settings.ts';
import { definitions, settingNames } from '../../app/settings/setting-definitions.ts';
import { readSettings, type Settings } from '../../app/settings/settings.ts';
import { plainDescription } from '../../app/settings/settings-document.ts';
import { isOutputStored } from '../../app/start/first-secrets.ts';
import type { ServeSettings } from '../../app/start/serve-settings.ts';
import { serveAlone } from '../../app/workers/alone.ts';
import { placeOf } from '../installed/named-files.ts';
import { addCommand, type CommonOptions } from '../shared/add-command.ts';

/** The settings that an option replaces. */
const replaced = settingNames.flatMap((name) => {
  const { option: flags, about } = definitions[name];
  if (flags === undefined) return [];
  const option = new Option(flags, `${about}, instead of ${name}`);
  return [{ name, option: name === 'GATEHOUSE_SITE_FOLDER' ? option.argParser(placeOf) : option }];
});

interface ServeOptions extends CommonOptions {
  readonly sample?: boolean;
}

export function addServeCommand(program: Command): void {
  const examples = [
    'serve --port 9000',
    'serve --folder ./site',
    'serve --upstream http://127.0.0.1:3000',
    'serve --workers auto',
  ];
  const serve = addCommand(program, 'serve', 'run the service until it is stopped', examples);
  for (const { option } of replaced) serve.addOption(option);
  serve
    .option('--sample', 'serve the sample site, if the database has no other site')
    .addHelpText('after', () => settingsHelp(serve))
    .action(async (options: ServeOptions) => {
      const settings = readSettings(process.env, undefined, settingOptionsOf(serve.opts()));
      const run =
        settings.workers === 1
          ? serveAlone
          : (await import('../../app/workers/with-workers.ts')).serveWithWorkers;
      return run(await withSample(settings, options.sample ?? false), options.json ?? false);
    });
}

/** A folder and a program are one choice: either option replaces both settings. */
function settingOptionsOf(values: Readonly<Record<string, string>>): SettingOptions {
  const hasSource = values.folder !== undefined || values.upstream !== undefined;
  const source = hasSource ? { folder: '', upstream: '' } : {};
  const given: Readonly<Record<string, string>> = { ...source, ...values };
  const options = replaced.map(({ name, option }) => {
    return [name, [option.long!, given[option.attributeName()]]] as const;
  });
  return givenOptions(Object.fromEntries(options));
}

/** Each setting with its default and what it is. The documentation says more. */
function settingsHelp(command: Command): string {
  const { columns = 80 } = process.stdout;
  const help = command.createHelp();
  const items = settingNames.map((name) => {
    const { value, about } = plainDescription(definitions[name]);
    const lines = help.boxWrap(about, columns - 6).split('\n');
    return `  ${name} (${value})\n${lines.map((line) => `      ${line}`).join('\n')}`;
  });
  return `\nSettings, as environment variables or in gatehouse.json (docs/settings.md).\nGATEHOUSE_…_FILE names a file with a secret.\n${items.join('\n')}`;
}

async function withSample(settings: Settings, isRequested: boolean): Promise<ServeSettings> {
  const { siteFolder, siteUpstream } = settings;
  const isWanted = isRequested && siteFolder === undefined && siteUpstream === undefined;
  const isSample = isWanted && (await allowsSample(settings));
  return {
    ...settings,
    siteFolder: isSample ? sampleFolder : siteFolder && path.resolve(siteFolder),
    isSample,
    withoutSample: isWanted && !isSample,
    hidesSecrets: isOutputStored(process.env),
  };
}
