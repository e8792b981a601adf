import path from 'node:path';
import type { Command } from 'commander';
import { reportWarnings } from '../base/warnings.ts';
import { dialectOf } from '../storage/database-url.ts';
import { addCommand, type CommonOptions } from './add-command.ts';
import { allowsSample, firstSiteUrl, sampleFolder } from './built-in-site.ts';
import { createFirstSite, setupUrl } from './first-start.ts';
import { openLog, type ServiceLog } from './service-log.ts';
import { absoluteUrl, newTokens, writeServiceState } from './service-state.ts';
import { findSettingsFile, readSettings, type Settings } from './settings.ts';
import type { Gatehouse } from './start-gatehouse.ts';
import { version } from './version.ts';

/** The steps of stopping have their own time limits, about ten seconds in total. */
const maxStopSeconds = 15;

interface ServeOptions extends CommonOptions {
  readonly host?: string;
  readonly port?: string;
  readonly folder?: string;
  readonly upstream?: string;
  readonly site?: string;
  readonly siteHost?: string;
  readonly sitePort?: string;
  readonly sample?: boolean;
}

export function addServeCommand(program: Command): void {
  const examples = ['serve --port 9000', 'serve --folder ./site', 'serve --upstream http://127.0.0.1:3000'];
  addCommand(program, 'serve', 'run the service until it is stopped', examples)
    .option('--host <host>', 'the address to listen on, instead of GATEHOUSE_HOST')
    .option('--port <port>', 'the port to listen on, instead of GATEHOUSE_PORT')
    .option('--folder <folder>', 'also serve the pages in this folder, behind the gate')
    .option('--upstream <url>', 'also pass requests on to this program, behind the gate')
    .option('--site <slug>', 'the site of these pages, if there are several')
    .option('--site-host <host>', 'the address to listen on for the site, instead of GATEHOUSE_SITE_HOST')
    .option('--site-port <port>', 'the port to listen on for the site, instead of GATEHOUSE_SITE_PORT')
    .option('--sample', 'serve the sample site, if the database has no other site')
    .action(async (options: ServeOptions) => {
      const settings = readSettings({ ...process.env, ...environmentOf(options) });
      return serve(await withSample(settings, options.sample ?? false), options.json ?? false);
    });
}

/** Options replace settings. A folder and a program are one choice. */
function environmentOf(options: ServeOptions): NodeJS.ProcessEnv {
  const { host, port, folder, upstream, site, siteHost, sitePort } = options;
  const hasSource = folder !== undefined || upstream !== undefined;
  const given = {
    GATEHOUSE_HOST: host,
    GATEHOUSE_PORT: port,
    GATEHOUSE_SITE_FOLDER: hasSource ? (folder ?? '') : undefined,
    GATEHOUSE_SITE_UPSTREAM: hasSource ? (upstream ?? '') : undefined,
    GATEHOUSE_SITE: site,
    GATEHOUSE_SITE_HOST: siteHost,
    GATEHOUSE_SITE_PORT: sitePort,
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

interface ServeSettings extends Settings {
  readonly isSample: boolean;
  /** Whether the sample site was requested, but is not served. */
  readonly withoutSample: boolean;
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
  };
}

/** Runs Gatehouse until it receives a signal. */
async function serve({ isSample, withoutSample, ...settings }: ServeSettings, json: boolean): Promise<void> {
  const log = await openLog(settings.logLevel, json);
  const { logger } = log;
  reportWarnings(({ name, message }) => logger.warn({ warning: name }, message));
  const tokens = newTokens();
  let gatehouse: Gatehouse | undefined;
  let removeState = () => {};
  stopOnSignal(log, async () => {
    removeState();
    await gatehouse?.stop();
  });
  let firstKey: string | undefined;
  let firstStartUrl: string | undefined;
  // Loaded after the settings are checked, and not for `--help`.
  const { startGatehouse } = await import('./start-gatehouse.ts');
  gatehouse = await startGatehouse(settings, {
    logger,
    selfCheck: { ...tokens, settings: { ...settings, databaseUrl: absoluteUrl(settings.databaseUrl) } },
    onFatal: () => log.exit(1),
    prepare: async (database) => {
      firstKey = await createFirstSite(database, { url: firstSiteUrl(settings), isSample }, new Date());
      firstStartUrl = await setupUrl(database, settings.publicUrl, new Date());
    },
  }).catch((error) => {
    // For example, a thread of the store could not start: the database now exists, and no later start shows its key.
    if (firstKey !== undefined) {
      process.stdout.write(json ? `${JSON.stringify({ firstKey })}\n` : shownOnce(firstKey));
    }
    throw error;
  });
  try {
    removeState = writeServiceState(gatehouse.address, tokens, settings.databaseUrl);
  } catch (error) {
    logger.warn({ err: error }, 'doctor cannot find this service');
  }
  const facts = {
    version,
    address: gatehouse.address,
    store: dialectOf(settings.databaseUrl),
    settingsFile: findSettingsFile() ?? null,
  };
  logger.info(facts, `Gatehouse is ready at ${settings.publicUrl}`);
  const { siteAddress } = gatehouse;
  const siteUrl = siteAddress && `http://localhost:${new URL(siteAddress).port}`;
  if (siteUrl !== undefined) logger.info({ siteAddress }, `The site is at ${siteUrl}, and at its domain`);
  if (withoutSample) {
    logger.info(
      'The sample site is not served, because this installation is not new. Serve your own pages with --folder',
    );
  }
  if (firstStartUrl === undefined) return;
  const steps = { publicUrl: settings.publicUrl, dashboard: firstStartUrl, firstKey, siteUrl, isSample };
  process.stdout.write(json ? `${JSON.stringify(steps)}\n` : firstSteps(steps));
}

/** Ends the process on a signal, after `stop` is done. */
function stopOnSignal({ logger, exit }: ServiceLog, stop: () => Promise<void>): void {
  let stopping = false;
  const onSignal = (signal: NodeJS.Signals) => {
    if (stopping) return;
    stopping = true;
    logger.info({ signal }, 'Gatehouse is stopping');
    // All acknowledged changes are stored. A thread or connection that still keeps the process alive is abandoned.
    setTimeout(() => {
      logger.error(`stopping took longer than ${maxStopSeconds} s and was aborted`);
      exit(1);
    }, maxStopSeconds * 1_000).unref();
    stop().then(
      () => {
        logger.info('Gatehouse has stopped');
        exit(0);
      },
      (error) => {
        logger.error({ err: error }, 'stopping failed');
        exit(1);
      },
    );
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, onSignal);
}

interface FirstSteps {
  readonly publicUrl: string;
  /** The URL where the first operator sets up the dashboard. */
  readonly dashboard: string;
  readonly firstKey: string | undefined;
  readonly siteUrl: string | undefined;
  readonly isSample: boolean;
}

function firstSteps({ publicUrl, dashboard, firstKey, siteUrl, isSample }: FirstSteps): string {
  const site = siteUrl === undefined ? '' : siteHint(siteUrl, isSample && firstKey !== undefined);
  const key = firstKey === undefined ? '' : keyHint(publicUrl, firstKey, siteUrl ?? publicUrl);
  return `${site}${dashboardHint(dashboard)}${key}`;
}

function siteHint(url: string, isNewSample: boolean): string {
  const login = `  Log in there as ada@example.com. Until a mail server is set, the email is shown here.
`;
  return `
  Open your site: ${url}
${isNewSample ? login : ''}`;
}

function dashboardHint(url: string): string {
  return `
  Open the dashboard: ${url}

`;
}

function shownOnce(key: string): string {
  return `  Your first site is ready. This is its API key. It is shown only once:

    ${key}
`;
}

/** @param siteUrl where members log in */
function keyHint(publicUrl: string, key: string, siteUrl: string): string {
  return `${shownOnce(key)}
  Create a member:

    curl -X POST ${publicUrl}/api/v1/members -H 'Authorization: Bearer ${key}' -H 'Content-Type: application/json' -d '{"email":"alan@example.com","displayName":"Alan Turing"}'

  Log in as Alan at ${siteUrl}/_gatehouse/login. Until a mail server is set, the email is shown here.

  API reference: ${publicUrl}/docs

`;
}
