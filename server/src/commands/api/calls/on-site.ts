import { WrongUsage } from '../../../app/failure.ts';
import type { WhereOptions } from '../../shared/where-options.ts';
import type { Mode } from '../mode.ts';
import type { SiteApi } from './site-api.ts';

/** With a key, or the URL of a service, it is used; otherwise the configured database. */
export async function onSite(
  { site, ...connection }: WhereOptions,
  { only, before }: Mode,
  run: (api: SiteApi) => Promise<void>,
): Promise<void> {
  const work = async (api: SiteApi) => {
    await before?.(api);
    await run(api);
  };
  const { url, key } = connection;
  const isNamed = url !== undefined || key !== undefined;
  if (site !== undefined && isNamed)
    throw new WrongUsage(
      'Use either --site, for the configured database, or --url and --key, for a service.',
    );
  const { GATEHOUSE_URL, GATEHOUSE_KEY } = process.env;
  const isRemote = isNamed || (site === undefined && Boolean(GATEHOUSE_URL || GATEHOUSE_KEY));
  if (only === 'remote' || (only === undefined && isRemote)) {
    const { withRemoteApi } = await import('./remote-api.ts');
    return withRemoteApi(connection, work);
  }
  const { withDirectApi } = await import('./direct-api.ts');
  return withDirectApi(site, work);
}
