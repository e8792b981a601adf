import path from 'node:path';
import type { Command } from 'commander';
import { allowsSample, sampleFolder } from '../../app/built-in-site.ts';
import { givenOptions, type SettingOptions } from '../../app/settings/given-settings.ts';
import { readSettings, type Settings } from '../../app/settings/settings.ts';
import { isJournal } from '../../app/start/first-secrets.ts';
import type { ServeSettings } from '../../app/start/serve-settings.ts';
import { serveAlone } from '../../app/workers/alone.ts';
import { addCommand, type CommonOptions } from '../shared/add-command.ts';

interface ServeOptions extends CommonOptions {
  readonly host?: string;
  readonly port?: string;
  readonly folder?: string;
  readonly upstream?: string;
  readonly site?: string;
  readonly siteHost?: string;
  readonly sitePort?: string;
  readonly workers?: string;
  readonly sample?: boolean;
}

export function addServeCommand(program: Command): void {
  const examples = [
    'serve --port 9000',
    'serve --folder ./site',
    'serve --upstream http://127.0.0.1:3000',
    'serve --workers auto',
  ];
  addCommand(program, 'serve', 'run the service until it is stopped', examples)
    .option('--host <host>', 'the IP address or host to listen on, instead of GATEHOUSE_HOST')
    .option('--port <port>', 'the port to listen on, instead of GATEHOUSE_PORT')
    .option('--folder <folder>', 'also serve the pages in this folder, behind the gate')
    .option('--upstream <url>', 'also pass requests on to this program, behind the gate')
    .option('--site <slug>', 'the site of these pages, if there are several')
    .option(
      '--site-host <host>',
      'the IP address or host to listen on for the site, instead of GATEHOUSE_SITE_HOST',
    )
    .option('--site-port <port>', 'the port to listen on for the site, instead of GATEHOUSE_SITE_PORT')
    .option('--workers <number>', 'how many processes serve requests, or auto, instead of GATEHOUSE_WORKERS')
    .option('--sample', 'serve the sample site, if the database has no other site')
    .action(async (options: ServeOptions) => {
      const settings = readSettings(process.env, undefined, settingOptionsOf(options));
      const run =
        settings.workers === 1
          ? serveAlone
          : (await import('../../app/workers/with-workers.ts')).serveWithWorkers;
      return run(await withSample(settings, options.sample ?? false), options.json ?? false);
    });
}

/** A folder and a program are one choice. */
function settingOptionsOf(options: ServeOptions): SettingOptions {
  const { host, port, folder, upstream, site, siteHost, sitePort, workers } = options;
  const hasSource = folder !== undefined || upstream !== undefined;
  return givenOptions({
    GATEHOUSE_HOST: ['--host', host],
    GATEHOUSE_PORT: ['--port', port],
    GATEHOUSE_SITE_FOLDER: ['--folder', hasSource ? (folder ?? '') : undefined],
    GATEHOUSE_SITE_UPSTREAM: ['--upstream', hasSource ? (upstream ?? '') : undefined],
    GATEHOUSE_SITE: ['--site', site],
    GATEHOUSE_SITE_HOST: ['--site-host', siteHost],
    GATEHOUSE_SITE_PORT: ['--site-port', sitePort],
    GATEHOUSE_WORKERS: ['--workers', workers],
  });
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
    hidesSecrets: isJournal(process.env),
  };
}
