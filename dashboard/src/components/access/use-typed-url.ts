import { useDebouncedValue } from '@mantine/hooks';
import { toUrl } from '../../format/addresses/pasted-url.ts';
import { readSiteUrl, type SiteTarget } from '../../format/addresses/site-url.ts';
import { useTexts } from '../../languages/texts.tsx';
import { useSavedSite } from '../../queries/saved-site.ts';

const typingMilliseconds = 250;

/** The URL of the site that a text names, or what is wrong with it. Until typing pauses, there is neither. */
export function useTypedUrl(typed: string): { target?: SiteTarget; fault?: string } {
  const t = useTexts('access');
  const hosts = useSavedSite().data?.data.hosts;
  const [settled] = useDebouncedValue(typed, typingMilliseconds);
  if (settled !== typed || typed.trim() === '' || !hosts) return {};
  const read = readSiteUrl(typed, hosts);
  if (read === 'no_path') return { fault: t('noPath') };
  if (read === 'other_host') return { fault: t('otherHost', { host: toUrl(typed)!.host }) };
  return { target: read };
}
