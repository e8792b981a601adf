import { useQuery } from '@tanstack/react-query';
import { useGatehouse, useSite } from '../../session/site.ts';
import { isEmail, type Person } from './people.ts';

/** As many as the service looks up in one request. */
const mostAtOnce = 100;
/** More than these are not looked up beforehand; the import itself finds out. */
const mostLookedUp = 5_000;

/** Which of the addresses belong to members already, in lower case; undefined while that is looked up. */
export function useKnownPeople(people: readonly Person[]): ReadonlySet<string> | undefined {
  const site = useSite();
  const gatehouse = useGatehouse();
  const addresses = [
    ...new Set(people.filter(({ email }) => isEmail(email)).map(({ email }) => email.trim().toLowerCase())),
  ];
  const { data } = useQuery({
    queryKey: [site.id, 'members', 'known', addresses],
    enabled: addresses.length > 0 && addresses.length <= mostLookedUp,
    staleTime: 60_000,
    gcTime: 0,
    queryFn: async ({ signal }) => {
      const known = new Set<string>();
      for (let at = 0; at < addresses.length; at += mostAtOnce) {
        const some = addresses.slice(at, at + mostAtOnce);
        const checks = some.map((email) => ({ email, path: '/' }));
        const decisions = await gatehouse.access.check(checks, { signal });
        decisions.forEach(({ reason }, index) => {
          if (reason !== 'unknown_member') known.add(some[index]!);
        });
      }
      return known;
    },
  });
  return addresses.length > mostLookedUp ? none : data;
}

const none: ReadonlySet<string> = new Set();
