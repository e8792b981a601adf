import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { toUrl } from '../../../format/addresses/pasted-url.ts';
import { readSiteUrl } from '../../../format/addresses/site-url.ts';
import { useTexts } from '../../../languages/texts.tsx';
import { useSavedSite } from '../../../queries/saved-site.ts';
import { useSiteApi } from '../../../queries/site-api.ts';

const typingMilliseconds = 250;

/** What is decided when the member opens a typed URL or path, or what is wrong with it. */
export function useUrlDecision(memberId: string, typed: string) {
  const t = useTexts('member');
  const { gatehouse, keys } = useSiteApi();
  const hosts = useSavedSite().data?.data.hosts;
  const [settled] = useDebouncedValue(typed, typingMilliseconds);
  const target = settled.trim() === '' ? undefined : readSiteUrl(settled, hosts ?? []);
  const isTarget = typeof target === 'object';
  const check = { memberId, path: isTarget ? target.path : '', host: isTarget ? target.host : undefined };
  const { data, error, refetch } = useQuery({
    queryKey: keys.rules.decision(check),
    queryFn: async ({ signal }) => {
      const [decision] = await gatehouse.access.check([check], { signal });
      return decision!;
    },
    enabled: isTarget && hosts !== undefined,
    staleTime: 0,
  });
  const problems = {
    no_path: t('noPath'),
    other_host: t('otherHost', { host: toUrl(settled)?.host ?? '' }),
  };
  // A result for another path must not be shown for this one.
  const isSettled = settled === typed;
  return {
    decision: isSettled && isTarget ? data : undefined,
    error: isSettled && isTarget ? error : null,
    problem: isSettled && typeof target === 'string' ? problems[target] : undefined,
    refetch,
  };
}
